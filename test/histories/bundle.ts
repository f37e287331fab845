import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build, type Plugin } from 'esbuild'
import type { PlantedFault } from './planted.ts'

const planting = ({ name, file, from, to }: PlantedFault): Plugin => ({
  name: 'planted-fault',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (path !== resolve(file)) return undefined
      const source = readFileSync(path, 'utf8')
      if (source.split(from).length !== 2)
        throw new Error(`${file} does not have this text once, to plant "${name}": ${from}`)
      return { contents: source.replace(from, () => to), loader: 'ts' }
    })
  },
})

/** Bundles the process of the service into a folder, with a planted fault if one is given. Returns the file. */
export const bundled = async (folder: string, fault?: PlantedFault): Promise<string> => {
  const outfile = join(folder, 'process.mjs')
  await build({
    entryPoints: ['test/histories/process.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
    plugins: fault ? [planting(fault)] : [],
  })
  return outfile
}
