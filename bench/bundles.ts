import { resolve } from 'node:path'
import { build } from 'esbuild'
import { BUNDLE_FILE, type Bundle, bundleFunctions, bundleOptions } from '../lib/bundle/bundle.ts'

const FOLDER = resolve('dist/bench')
const BASELINE = resolve(FOLDER, 'baseline.cjs')

interface Built {
  readonly functions: readonly Bundle[]
  /** The file of the baseline's bundle. */
  readonly baseline: string
  /** Returns the file of an endpoint's bundle. */
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

/** Returns our bundles and the baseline's, which are built once. */
export const bundles = (): Promise<Built> => {
  built ??= buildAll()
  return built
}
