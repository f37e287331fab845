import { build } from 'esbuild'

describe('the bundle of the client', () => {
  it('consists of its own files alone, for any platform', async () => {
    const { metafile } = await build({
      entryPoints: ['client/index.ts'],
      bundle: true,
      platform: 'neutral',
      metafile: true,
      write: false,
    })
    const files = Object.keys(metafile.inputs)
    expect(files).toContain('client/transport.ts')
    expect(files.filter((file) => !file.startsWith('client/'))).toEqual([])
  })
})
