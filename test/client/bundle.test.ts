import { type BuildOptions, build } from 'esbuild'

const bundle = (input: BuildOptions) =>
  build({
    ...input,
    bundle: true,
    minify: true,
    platform: 'neutral',
    format: 'esm',
    metafile: true,
    write: false,
  })

it.each([
  { module: 'client', entry: 'client/index.ts', contains: 'client/transport.ts', maxBytes: 12_000 },
  {
    module: 'figures',
    entry: 'client/analytics/index.ts',
    contains: 'client/analytics/dataset.ts',
    maxBytes: 42_000,
  },
])(
  'bundles the $module for any platform, from the files of its folder alone, into at most $maxBytes bytes',
  async ({ entry, contains, maxBytes }) => {
    const { metafile, outputFiles } = await bundle({ entryPoints: [entry] })
    const folder = entry.replace('index.ts', '')
    const files = Object.keys(metafile.inputs)
    expect(files).toContain(contains)
    expect(files.filter((file) => !file.startsWith(folder))).toEqual([])
    expect(outputFiles[0]!.contents.length).toBeLessThanOrEqual(maxBytes)
  },
)

it('bundles a single function of the figures without the others', async () => {
  const contents = "export { monthName } from './client/analytics/index.ts'"
  const stdin = { contents, resolveDir: process.cwd() }
  const { outputFiles } = await bundle({ stdin })
  expect(outputFiles[0]!.contents.length).toBeLessThanOrEqual(2_000)
})
