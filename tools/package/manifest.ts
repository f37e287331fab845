import project from '../../package.json' with { type: 'json' }
import { type ModuleName, moduleNames } from './modules.ts'

const exportConditions = (module: ModuleName) => ({
  import: { types: `./esm/${module}/index.d.ts`, default: `./esm/${module}/index.js` },
  require: { types: `./cjs/${module}/index.d.ts`, default: `./cjs/${module}/index.js` },
})

/** That the package has been tested with. */
export const OLDEST_NODE = '22.2'

/**
 * No dependencies. The database engine, which only the test double needs, is an optional peer dependency, so
 * that an install in production does not download it.
 */
export const packageManifest = (): object => {
  const { name, version, description, license, optionalDependencies } = project
  const client = exportConditions('client')
  return {
    name,
    version,
    description: `${description}: typed client, figures, test double and import`,
    license,
    engines: { node: `>=${OLDEST_NODE}` },
    type: 'commonjs',
    sideEffects: false,
    main: client.require.default,
    types: client.require.types,
    exports: {
      '.': client,
      ...Object.fromEntries(moduleNames.map((module) => [`./${module}`, exportConditions(module)])),
      './package.json': './package.json',
    },
    // For resolvers that ignore "exports".
    typesVersions: {
      '*': Object.fromEntries(moduleNames.map((module) => [module, [`./cjs/${module}/index.d.ts`]])),
    },
    bin: { [name]: `./bin/${name}.cjs` },
    peerDependencies: optionalDependencies,
    peerDependenciesMeta: Object.fromEntries(
      Object.keys(optionalDependencies).map((engine) => [engine, { optional: true }]),
    ),
  }
}
