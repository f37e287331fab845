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

/** The esbuild options of every function: minified CommonJS that contains the SDK, taken from the SDK's ES modules. */
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

/** The file name of a function's bundle. */
export const BUNDLE_FILE = 'bundle.cjs'

/** The file name of a function's entry. Lambda sends the first request after its top-level await has settled. */
export const ENTRY_FILE = 'index.mjs'

// `import` is slower than `require`, since it scans the whole bundle for the names of its exports.
const entry = `import { createRequire } from 'node:module'
const { handler, warmUp } = createRequire(import.meta.url)('./${BUNDLE_FILE}')
await warmUp?.(handler)
export { handler }
`

export interface Bundle {
  readonly deployable: Deployable
  readonly folder: string
  readonly metafile: Metafile
}

/** Returns the source of a function's bundle, which exports the handler and, if it uses the table, the warm-up. */
const sourceOf = ({ file, usesTable }: Deployable): string => `export { handler } from './${file}'
${usesTable ? "export { warmUp } from './shared/cold-start/warm-up.ts'" : ''}`

const NAMESPACE = 'function'

/** The esbuild plugin that provides the sources of bundles, in files with the ids of their functions. */
const sources = (functions: readonly Deployable[]): Plugin => ({
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

const isReading = (deployable: Deployable): boolean => isEndpoint(deployable) && !deployable.body

/** Returns functions in groups for one build each, which parses the SDK once. Those that read no body have equal modules. */
const groupsOf = (all: readonly Deployable[]): Deployable[][] => [
  ...Map.groupBy(all, (each) => (isReading(each) ? 'reading' : each.id)).values(),
]

const folderOf = ({ id }: Deployable): string => join(...id.split('.'))

const bundleGroup = async (
  outDir: string,
  group: readonly Deployable[],
  sourceMaps: boolean,
): Promise<Bundle[]> => {
  const [first] = group as [Deployable]
  const { metafile } = await build({
    ...bundleOptions,
    // The SDK imports node:http dynamically. That evaluates all its exports, which loads undici; a `require` does not.
    supported: { 'dynamic-import': false },
    entryPoints: group.map((each) => ({
      in: `${NAMESPACE}:${each.id}`,
      out: join(folderOf(each), basename(BUNDLE_FILE, '.cjs')),
    })),
    outdir: outDir,
    outExtension: { '.js': '.cjs' },
    // The files of pages, which only the document has.
    assetNames: join(folderOf(first), '[name]-[hash]'),
    sourcemap: sourceMaps ? 'external' : false,
    plugins: [sources(group), generatedValidators(...[first].filter(isEndpoint)), finishedDocument, leaveOut],
  })
  const { inputs, outputs } = metafile as Metafile
  return group.map((deployable) => {
    const folder = join(outDir, folderOf(deployable))
    writeFileSync(join(folder, ENTRY_FILE), entry)
    const own = Object.entries(outputs).filter(
      ([file]) => dirname(resolve(root, file)) === resolve(root, folder),
    )
    return { deployable, folder, metafile: { inputs, outputs: Object.fromEntries(own) } }
  })
}

/**
 * Bundles functions, each into its own folder below `outDir`; all functions by default. `sourceMaps` adds source maps, which
 * are not deployed.
 */
export const bundleFunctions = async (
  outDir: string,
  all: readonly Deployable[] = deployables,
  sourceMaps = false,
): Promise<Bundle[]> => {
  // Lambda would load an index.js left by an earlier version instead of the entry.
  for (const each of all) rmSync(join(outDir, folderOf(each)), { recursive: true, force: true })
  const bundles = await Promise.all(groupsOf(all).map((group) => bundleGroup(outDir, group, sourceMaps)))
  return bundles.flat().sort((one, other) => all.indexOf(one.deployable) - all.indexOf(other.deployable))
}
