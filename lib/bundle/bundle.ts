import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Metafile } from 'esbuild'
import { deployables, isEndpoint } from '../../shared/catalogue.ts'
import type { Deployable } from '../../shared/contract/deployable.ts'
import { finishedDocument } from './document.ts'
import { leaveOut } from './left-out.ts'
import { finishedPages } from './pages.ts'
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
export const BUNDLE = 'bundle.cjs'

/** The file name of a function's entry. Lambda sends the first request after its top-level await has settled. */
export const ENTRY = 'index.mjs'

// `import` is slower than `require`, since it scans the whole bundle for the names of its exports.
const entry = `import { createRequire } from 'node:module'
const { handler, warmUp } = createRequire(import.meta.url)('./${BUNDLE}')
await warmUp?.(handler)
export { handler }
`

/** The bundled code of a function. */
export interface Bundle {
  readonly deployable: Deployable
  /** The folder with the entry and the bundle. */
  readonly folder: string
  readonly metafile: Metafile
}

/** Returns the esbuild options of one function. Its bundle exports the handler and, if it uses the table, the warm-up. */
const optionsOf = (deployable: Deployable): BuildOptions => ({
  // The SDK imports node:http dynamically. That evaluates all its exports, which loads undici; a `require` does not.
  supported: { 'dynamic-import': false },
  stdin: {
    contents: `export { handler } from './${deployable.file}'
${deployable.usesTable ? "export { warmUp } from './shared/http/warm-up.ts'" : ''}`,
    resolveDir: root,
  },
  plugins: [
    generatedValidators(...[deployable].filter(isEndpoint)),
    finishedDocument,
    finishedPages,
    leaveOut,
  ],
})

/**
 * Bundles functions, each into its own folder below `outDir`; all functions by default. `sourceMaps` adds source maps, which
 * are not deployed.
 */
export const bundleFunctions = (
  outDir: string,
  all: readonly Deployable[] = deployables,
  sourceMaps = false,
): Promise<Bundle[]> =>
  Promise.all(
    all.map(async (deployable) => {
      const folder = join(outDir, ...deployable.id.split('.'))
      // Lambda would load an index.js of an earlier version in place of the entry.
      rmSync(folder, { recursive: true, force: true })
      const { metafile } = await build({
        ...bundleOptions,
        ...optionsOf(deployable),
        outfile: join(folder, BUNDLE),
        sourcemap: sourceMaps ? 'external' : false,
      })
      writeFileSync(join(folder, ENTRY), entry)
      return { deployable, folder, metafile: metafile as Metafile }
    }),
  )
