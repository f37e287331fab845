import { build } from 'esbuild'

it('the bundle of the client contains only files of the client, for any platform, in at most 8 kB', async () => {
  const { metafile, outputFiles } = await build({
    entryPoints: ['client/index.ts'],
    bundle: true,
    minify: true,
    platform: 'neutral',
    format: 'esm',
    metafile: true,
    write: false,
  })
  const files = Object.keys(metafile.inputs)
  expect(files).toContain('client/transport.ts')
  expect(files.filter((file) => !file.startsWith('client/'))).toEqual([])
  expect(outputFiles[0]!.contents.length).toBeLessThanOrEqual(8_000)
})
