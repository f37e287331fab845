import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Metafile } from 'esbuild'
import { catalogue } from '../../shared/catalogue.ts'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import { leaveOut } from './left-out.ts'
import { generatedValidators } from './validators.ts'
import { withoutWords } from './words.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** How everything that is deployed is bundled: minified CommonJS with the SDK inside, from its ES modules. */
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

/** The bundle of a function, in its folder. */
export const BUNDLE = 'bundle.cjs'

/** The entry of a function, beside its bundle. Lambda sends no request before its top-level await has ended. */
export const ENTRY = 'index.mjs'

// `import` would be slower than `require`: it scans the whole bundle for the names of its exports.
const entry = `import { createRequire } from 'node:module'
const { handler, warmUp } = createRequire(import.meta.url)('./${BUNDLE}')
await warmUp?.(handler)
export { handler }
`

/** Makes `folder` what is deployed of a function: its bundle and its entry. Returns the bundle's metafile. */
export const bundleInto = async (folder: string, options: BuildOptions): Promise<Metafile> => {
  // Lambda would prefer an index.js that an earlier version has left here.
  rmSync(folder, { recursive: true, force: true })
  const { metafile } = await build({ ...bundleOptions, ...options, outfile: join(folder, BUNDLE) })
  writeFileSync(join(folder, ENTRY), entry)
  return metafile as Metafile
}

/** A function's code, ready to deploy. */
export interface Bundle {
  readonly endpoint: Endpoint
  /** The folder with the entry and the bundle. */
  readonly folder: string
  readonly metafile: Metafile
}

/** The file of an endpoint's handler, from the project's root. */
export const handlerFile = ({ resource, operation }: Endpoint): string =>
  `functions/${resource.plural}/${operation}.ts`

/** How an endpoint's function is bundled: its handler, and what warms it up. */
export const endpointOptions = (endpoint: Endpoint): BuildOptions => ({
  stdin: {
    contents: `export { handler } from './${handlerFile(endpoint)}'
export { warmUp } from './shared/http/warm-up.ts'`,
    resolveDir: root,
  },
  // The SDK imports "node:http" dynamically. As an ES module that loads fetch and WebSocket too, half of the first call.
  supported: { 'dynamic-import': false },
  plugins: [generatedValidators(endpoint), withoutWords, leaveOut],
})

const bundleEndpoint = async (endpoint: Endpoint, outDir: string): Promise<Bundle> => {
  const folder = join(outDir, endpoint.resource.plural, endpoint.operation)
  return { endpoint, folder, metafile: await bundleInto(folder, endpointOptions(endpoint)) }
}

/** Bundles the functions of `endpoints`, of all unless given, each into a folder of its own below `outDir`. */
export const bundleFunctions = (
  outDir: string,
  endpoints: readonly Endpoint[] = catalogue,
): Promise<Bundle[]> => Promise.all(endpoints.map((endpoint) => bundleEndpoint(endpoint, outDir)))
