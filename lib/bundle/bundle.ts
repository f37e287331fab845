import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Metafile } from 'esbuild'
import { catalogue } from '../../shared/api/catalogue.ts'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import { leaveOut } from './left-out.ts'
import { generatedValidators } from './validators.ts'

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

/** A function's code, ready to deploy. */
export interface Bundle {
  readonly endpoint: Endpoint
  /** The folder with `index.js`. */
  readonly folder: string
  readonly metafile: Metafile
}

/** The file of an endpoint's handler, from the project's root. */
export const handlerFile = ({ resource, operation }: Endpoint): string =>
  `functions/${resource.plural}/${operation}.ts`

const bundleEndpoint = async (endpoint: Endpoint, outDir: string): Promise<Bundle> => {
  const folder = join(outDir, endpoint.resource.plural, endpoint.operation)
  const { metafile } = await build({
    ...bundleOptions,
    entryPoints: [handlerFile(endpoint)],
    outfile: join(folder, 'index.js'),
    plugins: [generatedValidators(endpoint), leaveOut],
  })
  return { endpoint, folder, metafile: metafile as Metafile }
}

/** Bundles the functions of `endpoints`, of all unless given, each into a folder of its own below `outDir`. */
export const bundleFunctions = async (
  outDir: string,
  endpoints: readonly Endpoint[] = catalogue,
): Promise<Bundle[]> => {
  mkdirSync(outDir, { recursive: true })
  // Elsewhere than in Lambda, the nearest package.json would make ES modules of them.
  writeFileSync(join(outDir, 'package.json'), '{ "type": "commonjs" }\n')
  return Promise.all(endpoints.map((endpoint) => bundleEndpoint(endpoint, outDir)))
}
