import { readFileSync } from 'node:fs'

interface Project {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly optionalDependencies: Readonly<Record<string, string>>
}

/** The entries of the package, `import … from 'billing-data-api/<entry>'`. */
export const entries = ['client', 'testing'] as const

const conditions = (entry: string) => ({
  import: { types: `./esm/${entry}/index.d.ts`, default: `./esm/${entry}/index.js` },
  require: { types: `./cjs/${entry}/index.d.ts`, default: `./cjs/${entry}/index.js` },
})

/** The oldest Node that the package's program runs on, which needs `crc32` of node:zlib. */
export const OLDEST_NODE = '22.2'

/** The published package's package.json: no dependency, and the database engine only where its platform has one. */
export const manifest = (root: string): object => {
  const { name, version, description, license, optionalDependencies } = JSON.parse(
    readFileSync(`${root}/package.json`, 'utf8'),
  ) as Project
  return {
    name,
    version,
    description: `${description}: typed client and test double`,
    license,
    engines: { node: `>=${OLDEST_NODE}` },
    sideEffects: false,
    exports: {
      ...Object.fromEntries(entries.map((entry) => [`./${entry}`, conditions(entry)])),
      './package.json': './package.json',
    },
    // For resolvers that do not know "exports".
    typesVersions: {
      '*': Object.fromEntries(entries.map((entry) => [entry, [`./cjs/${entry}/index.d.ts`]])),
    },
    bin: { [name]: `./bin/${name}.cjs` },
    optionalDependencies,
  }
}
