import { resolve } from 'node:path'
import { build } from 'esbuild'
import { BUNDLE_FILE, type Bundle, bundleFunctions, bundleOptions } from '../lib/bundle/bundle.ts'

const FOLDER = resolve('dist/bench')
const BASELINE = resolve(FOLDER, 'baseline.cjs')

interface BuiltBundles {
  readonly functions: readonly Bundle[]
  readonly baseline: string
  fileOf(endpointId: string): string
}

let bundles: Promise<BuiltBundles> | undefined

const buildAll = async (): Promise<BuiltBundles> => {
  const functions = await bundleFunctions(FOLDER)
  await build({ ...bundleOptions, entryPoints: ['bench/baseline.ts'], outfile: BASELINE })
  const fileOf = (id: string) =>
    resolve(functions.find(({ deployable }) => deployable.id === id)!.folder, BUNDLE_FILE)
  return { functions, baseline: BASELINE, fileOf }
}

export const buildBundles = (): Promise<BuiltBundles> => {
  bundles ??= buildAll()
  return bundles
}
