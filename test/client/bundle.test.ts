import { build } from 'esbuild'

it.each([
  { module: 'client', entry: 'client/index.ts', contains: 'client/transport.ts', maxBytes: 12_000 },
  {
    module: 'figures',
    entry: 'client/analytics/index.ts',
    contains: 'client/analytics/dataset.ts',
    maxBytes: 35_000,
  },
])(
  'bundles the $module for any platform, from the files of its folder alone, into at most $maxBytes bytes',
  async ({ entry, contains, maxBytes }) => {
    const { metafile, outputFiles } = await build({
      entryPoints: [entry],
      bundle: true,
      minify: true,
      platform: 'neutral',
      format: 'esm',
      metafile: true,
      write: false,
    })
    const folder = entry.replace('index.ts', '')
    const files = Object.keys(metafile.inputs)
    expect(files).toContain(contains)
    expect(files.filter((file) => !file.startsWith(folder))).toEqual([])
    expect(outputFiles[0]!.contents.length).toBeLessThanOrEqual(maxBytes)
  },
)
