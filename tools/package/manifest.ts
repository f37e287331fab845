import project from '../../package.json' with { type: 'json' }

/** The modules of the package, such as `billing-data-api/client`. `billing-data-api` is the client, too. */
export const entries = ['client', 'analytics', 'testing'] as const

const conditions = (entry: string) => ({
  import: { types: `./esm/${entry}/index.d.ts`, default: `./esm/${entry}/index.js` },
  require: { types: `./cjs/${entry}/index.d.ts`, default: `./cjs/${entry}/index.js` },
})

/** The oldest Node that the package has been tested with. */
export const OLDEST_NODE = '22.2'

/**
 * Returns the package.json of the published package. It has no dependencies. The database engine, which only the test double
 * needs, is an optional peer dependency, so that an install in production does not download it.
 */
export const manifest = (): object => {
  const { name, version, description, license, optionalDependencies } = project
  const { types, default: main } = conditions('client').require
  return {
    name,
    version,
    description: `${description}: typed client, figures, test double and import`,
    license,
    engines: { node: `>=${OLDEST_NODE}` },
    type: 'commonjs',
    sideEffects: false,
    main,
    types,
    exports: {
      '.': conditions('client'),
      ...Object.fromEntries(entries.map((entry) => [`./${entry}`, conditions(entry)])),
      './package.json': './package.json',
    },
    // For resolvers that ignore "exports".
    typesVersions: {
      '*': Object.fromEntries(entries.map((entry) => [entry, [`./cjs/${entry}/index.d.ts`]])),
    },
    bin: { [name]: `./bin/${name}.cjs` },
    peerDependencies: optionalDependencies,
    peerDependenciesMeta: Object.fromEntries(
      Object.keys(optionalDependencies).map((engine) => [engine, { optional: true }]),
    ),
  }
}

/**
 * Returns the source of the package's executable. It runs the module `program`, or prints one line if Node is too old. It is a
 * separate file in ES5, since an old Node cannot parse the program.
 */
export const launcher = (name: string, program: string): string => `#!/usr/bin/env node
var oldest = '${OLDEST_NODE}'.split('.').map(Number)
var current = process.versions.node.split('.').map(Number)
if (current[0] > oldest[0] || (current[0] === oldest[0] && current[1] >= oldest[1])) require('${program}')
else {
  console.error('${name} needs Node ${OLDEST_NODE} or newer (this is Node ' + process.versions.node + ')')
  process.exitCode = 1
}
`
