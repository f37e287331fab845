import { rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'
import { deployables, isEndpoint } from '../../shared/catalogue.ts'
import { leaveOut } from '../../shared/cold-start/left-out.ts'
import type { Deployable } from '../../shared/contract/deployable.ts'
import { finishedDocument } from './document.ts'
import { generatedValidators } from './validators.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * The esbuild options of every bundle: minified CommonJS that contains the SDK, from the SDK's ES modules.
 */
export const bundleOptions: BuildOptions = {
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  // The SDK's CommonJS files cannot be tree-shaken.
  mainFields: ['module', 'main'],
  legalComments: 'none',
  absWorkingDir: root,
  metafile: true,
}

export const BUNDLE_FILE = 'bundle.cjs'

/** Lambda sends the first request after its top-level await has settled. */
export const ENTRY_FILE = 'index.mjs'

/** `import` would be slower than `require`: it scans the whole bundle for its exports. */
const entrySource = `import { createRequire } from 'node:module'
const { handler, warmUp } = createRequire(import.meta.url)('./${BUNDLE_FILE}')
await warmUp?.(handler)
export { handler }
`

export interface Bundle {
  readonly deployable: Deployable
  readonly folder: string
  readonly metafile: Metafile
}

/** It exports the handler and, if the function uses the table, the warm-up. */
const sourceOf = ({ file, usesTable }: Deployable): string => `export { handler } from './${file}'
${usesTable ? "export { warmUp } from './shared/cold-start/warm-up.ts'" : ''}`

const NAMESPACE = 'function'

/** Provides the sources of bundles, as files with the ids of their functions. */
const bundleSources = (functions: readonly Deployable[]): Plugin => ({
  name: NAMESPACE,
  setup(build) {
    build.onResolve({ filter: new RegExp(`^${NAMESPACE}:`) }, ({ path }) => ({
      path: path.slice(NAMESPACE.length + 1),
      namespace: NAMESPACE,
    }))
    build.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path }) => ({
      contents: sourceOf(functions.find(({ id }) => id === path) as Deployable),
      resolveDir: root,
    }))
  },
})

const hasNoBody = (deployable: Deployable): boolean => isEndpoint(deployable) && !deployable.body

/**
 * Groups of functions that are built together, so that the SDK is parsed once for each group. All endpoints
 * without a body are one group, because the plugins replace the same modules in them.
 */
const buildGroups = (functions: readonly Deployable[]): Deployable[][] => {
  const groups = Map.groupBy(functions, (deployable) =>
    hasNoBody(deployable) ? 'without a body' : deployable.id,
  )
  return [...groups.values()]
}

const folderOf = ({ id }: Deployable): string => join(...id.split('.'))

const bundleGroup = async (
  outDir: string,
  group: readonly Deployable[],
  sourceMaps: boolean,
): Promise<Bundle[]> => {
  const [first] = group as [Deployable]
  const { metafile } = await build({
    ...bundleOptions,
    // The SDK imports node:http dynamically. That evaluates all its exports, which loads undici; a `require`
    // does not.
    supported: { 'dynamic-import': false },
    entryPoints: group.map((deployable) => ({
      in: `${NAMESPACE}:${deployable.id}`,
      out: join(folderOf(deployable), basename(BUNDLE_FILE, '.cjs')),
    })),
    outdir: outDir,
    outExtension: { '.js': '.cjs' },
    // The files of pages, which only the function of the document has.
    assetNames: join(folderOf(first), '[name]-[hash]'),
    sourcemap: sourceMaps ? 'external' : false,
    plugins: [
      bundleSources(group),
      generatedValidators(...group.filter(isEndpoint)),
      finishedDocument,
      leaveOut,
    ],
  })
  const { inputs, outputs } = metafile as Metafile
  return group.map((deployable) => {
    const folder = join(outDir, folderOf(deployable))
    writeFileSync(join(folder, ENTRY_FILE), entrySource)
    const ownOutputs = Object.entries(outputs).filter(
      ([file]) => dirname(resolve(root, file)) === resolve(root, folder),
    )
    return { deployable, folder, metafile: { inputs, outputs: Object.fromEntries(ownOutputs) } }
  })
}

/**
 * Bundles functions, by default all, each into its own folder below `outDir`, in the order of `functions`.
 * `sourceMaps` adds source maps, which are not deployed.
 */
export const bundleFunctions = async (
  outDir: string,
  functions: readonly Deployable[] = deployables,
  sourceMaps = false,
): Promise<Bundle[]> => {
  // Lambda would load an index.js that an earlier version left instead of the entry.
  for (const deployable of functions)
    rmSync(join(outDir, folderOf(deployable)), { recursive: true, force: true })
  const groups = await Promise.all(
    buildGroups(functions).map((group) => bundleGroup(outDir, group, sourceMaps)),
  )
  const position = ({ deployable }: Bundle) => functions.indexOf(deployable)
  return groups.flat().sort((a, b) => position(a) - position(b))
}
