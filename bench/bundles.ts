import { resolve } from 'node:path'
import { build } from 'esbuild'
import { BUNDLE_FILE, type Bundle, bundleFunctions, bundleOptions } from '../lib/bundle/bundle.ts'

const FOLDER = resolve('dist/bench')
const BASELINE = resolve(FOLDER, 'baseline.cjs')

interface Built {
  readonly functions: readonly Bundle[]
  readonly baseline: string
  fileOf(endpointId: string): string
}

let built: Promise<Built> | undefined

const buildAll = async (): Promise<Built> => {
  const functions = await bundleFunctions(FOLDER)
  await build({ ...bundleOptions, entryPoints: ['bench/baseline.ts'], outfile: BASELINE })
  const fileOf = (id: string) =>
    resolve(functions.find(({ deployable }) => deployable.id === id)!.folder, BUNDLE_FILE)
  return { functions, baseline: BASELINE, fileOf }
}

export const bundles = (): Promise<Built> => {
  built ??= buildAll()
  return built
}
