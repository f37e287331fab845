import { build } from 'esbuild'

const bundled = () =>
  build({
    entryPoints: ['client/index.ts'],
    bundle: true,
    minify: true,
    platform: 'neutral',
    format: 'esm',
    metafile: true,
    write: false,
  })

describe('the bundle of the client', () => {
  it('contains only files of the client, for any platform', async () => {
    const { metafile } = await bundled()
    const files = Object.keys(metafile.inputs)
    expect(files).toContain('client/transport.ts')
    expect(files.filter((file) => !file.startsWith('client/'))).toEqual([])
  })

  it('has at most 6 kB when it is minified', async () => {
    const { outputFiles } = await bundled()
    expect(outputFiles[0]!.contents.length).toBeLessThanOrEqual(6_000)
  })
})
