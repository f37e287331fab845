import { type Bundle, bundleFunctions } from '../../lib/bundle/bundle.ts'
import { temporaryFolder } from '../support/processes/temporary-folder.ts'

let bundles: Promise<Bundle[]> | undefined

/** Bundles all functions, at most once for each test file. */
export const allBundles = (): Promise<Bundle[]> => {
  bundles ??= bundleFunctions(temporaryFolder())
  return bundles
}

/** The folder of the bundle of the function with this id. */
export const bundleFolder = async (id: string): Promise<string> =>
  (await allBundles()).find(({ deployable }) => deployable.id === id)!.folder
