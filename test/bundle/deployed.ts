import { execFileSync } from 'node:child_process'
import { cpSync, globSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire, SourceMap } from 'node:module'
import { join, resolve } from 'node:path'
import { build, type Plugin } from 'esbuild'
import fc from 'fast-check'
import {
  BUNDLE_FILE,
  type Bundle,
  bundleFunctions,
  bundleOptions,
  ENTRY_FILE,
} from '../../lib/bundle/bundle.ts'
import { generatedValidators } from '../../lib/bundle/validators.ts'
import { catalogue } from '../../shared/catalogue.ts'
import {
  clientManifest,
  leaveOut,
  moduleReplacements,
  unusedDigestClasses,
} from '../../shared/cold-start/left-out.ts'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import { schemaErrors } from '../../shared/http/validation/schema-errors.ts'
import { type BundledPackage, bundledPackages } from '../../tools/package/notices.ts'
import { allBundles } from '../bundles/all-bundles.ts'
import { temporaryFolder } from '../support/processes/temporary-folder.ts'
import { endpointNamed } from '../support/requests/endpoints.ts'
import { randomBody } from '../support/requests/random-bodies.ts'
import { runs } from '../support/runs.ts'

const root = process.cwd()
let bundles: Bundle[]
/** The packages in the bundles. */
let deployed: BundledPackage[]
beforeAll(async () => {
  bundles = await allBundles()
  deployed = bundledPackages(
    root,
    bundles.map(({ metafile }) => metafile),
  )
})
/** Returns the bundle of the function with this id. */
const bundleOf = (id: string): Bundle => bundles.find(({ deployable }) => deployable.id === id)!
const codeOf = ({ folder }: Bundle): string => readFileSync(join(folder, BUNDLE_FILE), 'utf8')

/** Returns the files of which a bundle contains code. */
const filesIn = ({ metafile }: Bundle): string[] =>
  Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.keys(inputs).filter((file) => inputs[file]!.bytesInOutput > 0),
  )

/** Files that no bundle is allowed to contain: schema compilers, tracing, clients with all operations, credential providers. */
const bannedFiles = [
  /\/ajv\/(?!dist\/runtime\/(?:ucs2length|equal)\.js)/,
  /aws-xray/,
  /client-dynamodb\/dist-[a-z]+\/DynamoDB\.js/,
  /lib-dynamodb\/dist-[a-z]+\/DynamoDBDocument\.js/,
  /create-aggregated-client/,
  /nested-clients/,
  /node_modules\/@aws-sdk\/credential-provider-(?!env\/)/,
  /aws-cdk-lib/,
  /^(?:shared\/openapi|tools)\//,
]

it('bundles a warm-up, which reads the table, with every function except the function of the document', () => {
  const warmedUp = bundles.filter((bundle) => codeOf(bundle).includes('warmUp'))
  expect(warmedUp.map(({ deployable }) => deployable.id)).toEqual(catalogue.map(({ id }) => id))
})

/** The size at which the test fails, as an alarm: more code than this would be noticeable in a cold start. */
const MAX_BUNDLE_BYTES = 300_000
const LARGEST_FILES = 10

/** Returns why a bundle is too large: what its size costs, and which files it comes from. */
const sizeAlarm = ({ deployable, metafile }: Bundle, bytes: number): string => {
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs))
  const largest = inputs.toSorted(([, a], [, b]) => b.bytesInOutput - a.bytesInOutput).slice(0, LARGEST_FILES)
  return [
    `${deployable.id} has ${bytes} bytes of code; the alarm is at ${MAX_BUNDLE_BYTES}.`,
    'Every 10 kB add 1 to 1.5 ms to each cold start, on a whole core ("npm run bench -- load", docs/performance.md).',
    'If the code is worth that, raise MAX_BUNDLE_BYTES here and in docs/performance.md. Otherwise look at what is new',
    'among the imports of the function, and at its largest files:',
    ...largest.map(([file, { bytesInOutput }]) => `  ${bytesInOutput} bytes of ${file}`),
  ].join('\n')
}

it.each(catalogue)('bundles $id into little code, without banned files', ({ id }) => {
  const bundle = bundleOf(id)
  expect(readdirSync(bundle.folder).toSorted()).toEqual([BUNDLE_FILE, ENTRY_FILE])
  const code = codeOf(bundle) + readFileSync(join(bundle.folder, ENTRY_FILE), 'utf8')
  const bytes = Buffer.byteLength(code)
  if (bytes > MAX_BUNDLE_BYTES) throw new Error(sizeAlarm(bundle, bytes))
  // With the SDK's import(), node:http would evaluate all of its exports, and so load undici at every start.
  expect(code).not.toMatch(/\bimport\("/)
  expect(code).not.toMatch(/require\("node:zlib"\)/)
  expect(filesIn(bundle).length).toBeGreaterThan(100)
  expect(filesIn(bundle).filter((file) => bannedFiles.some((pattern) => pattern.test(file)))).toEqual([])
})

it.each(Object.keys(moduleReplacements))('replaces the module %s in a bundle', (name) => {
  const path = name.replace(/^\.+\//, '')
  const files = filesIn(bundleOf('prices.create')).filter((file) => file.includes(path))
  expect(files).toEqual([`left-out:${name}`])
})

/** Builds a module with the options of bundles and returns its exports. */
const exportsOf = async (contents: string, plugins: Plugin[]) => {
  const outfile = join(temporaryFolder(), 'index.cjs')
  await build({ ...bundleOptions, stdin: { contents, resolveDir: root }, outfile, plugins })
  return createRequire(join(root, 'package.json'))(outfile)
}

it.each([
  ['./middleware-user-agent/user-agent-middleware', 'userAgentMiddleware', 'userAgentMiddleware'],
  [
    './middleware-user-agent/user-agent-middleware',
    'getUserAgentMiddlewareOptions',
    'getUserAgentMiddlewareOptions',
  ],
  ['@smithy/core/event-streams', 'eventStreamSerdeProvider', 'eventStreamSerdeProvider'],
  ['@smithy/core/event-streams', 'EventStreamSerde', 'EventStreamSerde'],
  ['@aws-sdk/endpoint-cache', 'EndpointCache', 'new EndpointCache()'],
  ['@smithy/core/retry', 'RETRY_MODES', 'RETRY_MODES'],
])(
  'throws an error with its name if a function uses what %s leaves out: %s',
  async (module, name, expression) => {
    const { value } = await exportsOf(`${moduleReplacements[module]}\nexport const value = ${expression}`, [])
    const uses = [
      () => value(),
      () => new value(),
      () => value.member,
      () => 'member' in value,
      () => ({ ...value }),
    ]
    for (const use of uses) expect(use).toThrow(`${name} is left out`)
  },
)

it.each(['Sha256Js', 'Sha256Node'])(
  'throws an error with its name if a function uses the digest %s',
  async (name) => {
    const checksum = '@smithy/core/dist-es/submodules/checksum/sha256'
    const exported = await exportsOf(`export * from './node_modules/${checksum}/${name}.js'`, [leaveOut])
    expect(() => new exported[name]()).toThrow(`${name} is left out`)
  },
)

it.each(catalogue)('reads no description in the bundle of $id, since bundles have none', ({ id }) => {
  expect(codeOf(bundleOf(id))).not.toMatch(/\.about\b|\{(?:[^{}]*,)?about:\w+[^{}]*\}=/)
})

it.each([
  ['the SDK’s digests', unusedDigestClasses],
  ['the client’s manifest', clientManifest],
])('replaces %s by one file in a bundle', (_, pattern) => {
  expect(filesIn(bundleOf('prices.create')).filter((file) => pattern.test(file))).toHaveLength(1)
})

it('resolves a position in a logged stack by source maps', async () => {
  const bundle = bundleOf('invoices.create')
  const [mapped] = await bundleFunctions(temporaryFolder(), [bundle.deployable], true)
  const code = codeOf(mapped!)
  expect(code).toBe(codeOf(bundle))
  const linesBefore = code.slice(0, code.indexOf('belongs to another.')).split('\n')
  const map = new SourceMap(JSON.parse(readFileSync(join(mapped!.folder, `${BUNDLE_FILE}.map`), 'utf8')))
  const origin = map.findOrigin(linesBefore.length, linesBefore.at(-1)!.length + 1)
  expect(origin).toMatchObject({ fileName: expect.stringMatching(/shared\/store\/references\.ts$/) })
})

/** The function of the document, which contains a part of the README, and one operation for all. */
const copiedIds = ['openapi.retrieve', 'invoices.create']

/** In another folder, with one more sentence in the README. */
const bundledCopy = (): string => {
  const folder = temporaryFolder()
  const parts = '{bin,client,console,docs,functions,lib,shared,tools,package.json,tsconfig.json}'
  for (const part of globSync(parts)) cpSync(part, join(folder, part), { recursive: true })
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'README.md'), `${readFileSync('README.md')}\nOther\n`)
  const bundle = `import { bundleFunctions } from './lib/bundle/bundle.ts'
import { deployables } from './shared/catalogue.ts'
await bundleFunctions('dist', deployables.filter(({ id }) => ${JSON.stringify(copiedIds)}.includes(id)))`
  execFileSync(process.execPath, ['--input-type=module', '--eval', bundle], { cwd: folder })
  return join(folder, 'dist')
}

it('bundles the same code into the same files, in any folder', () => {
  const copy = bundledCopy()
  for (const id of copiedIds) {
    const { folder } = bundleOf(id)
    const files = readdirSync(folder)
    expect(files.length).toBeGreaterThanOrEqual(2)
    const copiedFolder = join(copy, ...id.split('.'))
    const isCopied = (file: string): boolean =>
      readFileSync(join(copiedFolder, file)).equals(readFileSync(join(folder, file)))
    expect(files.filter((file) => !isCopied(file))).toEqual([])
  }
})

/** A package in a lock file. */
interface LockedPackage {
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly hasInstallScript?: boolean
}

const readJson = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'))
/** Returns the packages in the lock file of a folder, with their paths. */
const lockedPackages = (folder: string): [path: string, locked: LockedPackage][] => {
  const { packages } = readJson(join(folder, 'package-lock.json'))
  return Object.entries<LockedPackage>(packages).filter(([path]) => path !== '')
}

const foldersWithLock = ['.', 'test/browser', 'test/generators']

it.each(foldersWithLock)('has exact versions of the dependencies of %s', (folder) => {
  const { dependencies, devDependencies, optionalDependencies } = readJson(join(folder, 'package.json'))
  const versions = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
  expect(versions.length).toBeGreaterThan(0)
  for (const [name, version] of versions) expect(`${name}@${version}`).toMatch(/@\d+\.\d+\.\d+$/)
})

/** The engines of the local database for platforms that the registry of the lock file does not have. They are never deployed. */
const unlockedEngines = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'win32-x64'].map(
  (platform) => `node_modules/@dynoxide/${platform}`,
)

it.each(foldersWithLock)('locks the dependencies of %s with a digest and without a registry', (folder) => {
  const packages = lockedPackages(folder)
  expect(packages.length).toBeGreaterThan(0)
  expect(packages.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
  // A dependency bundled inside a package is covered by that package's digest.
  const unlocked = packages.filter(([, locked]) => !locked.integrity && !('inBundle' in locked))
  expect(unlocked.map(([path]) => path)).toEqual(folder === '.' ? unlockedEngines : [])
})

const locked = lockedPackages('.')

it('deploys no package with an install script', () => {
  const names = deployed.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining(['@aws-sdk/client-dynamodb', '@middy/core', '@scalar/fastify-api-reference']),
  )
  const paths = new Set(names.map((name) => `node_modules/${name}`))
  expect(locked.filter(([path, { hasInstallScript }]) => hasInstallScript && paths.has(path))).toEqual([])
})

it('deploys only packages with permissive licences', () => {
  const licences = new Set(deployed.map(({ license }) => license))
  expect(licences).toEqual(new Set(['Apache-2.0', 'MIT']))
})

it('deploys the locked versions of packages', () => {
  const versions = new Map(
    locked.map(([path, { version }]) => [path.replace(/^.*node_modules\//, ''), version]),
  )
  for (const { name, version } of deployed)
    expect({ name, version }).toEqual({ name, version: versions.get(name) })
})

const endpointsWithBody = catalogue.filter(({ body }) => body)

/** Returns the function that validates with the generated validators of these endpoints. */
const generateValidators = async (endpoints: readonly Endpoint[]): Promise<typeof schemaErrors> => {
  const source = `export { schemaErrors } from '#validators'`
  return (await exportsOf(source, [generatedValidators(...endpoints)])).schemaErrors
}

it.each([
  ['endpoints without a body', catalogue.filter(({ body }) => !body)],
  ['another endpoint', [endpointNamed('products.create')]],
])('throws an error if a validator is called in the bundle of %s', async (_, endpoints) => {
  const validate = await generateValidators(endpoints)
  const message = 'The validator of customers.create is left out of this bundle'
  expect(() => validate(endpointNamed('customers.create'), {})).toThrow(message)
})

const validatorsOfAll = generateValidators(endpointsWithBody)

// Production runs the generated validators, and all other tests run the compiled ones.
it.each(endpointsWithBody)(
  'generates a validator of $id that reports the same errors as the compiled one',
  async (endpoint) => {
    const validators = [await validatorsOfAll, await generateValidators([endpoint])]
    const bodies = fc.oneof(randomBody(endpoint.body!), fc.jsonValue())
    const copied = (value: unknown) => JSON.parse(JSON.stringify(value))
    fc.assert(
      fc.property(bodies, (body) => {
        const expected = copied(schemaErrors(endpoint, copied(body)))
        for (const validator of validators)
          expect(copied(validator(endpoint, copied(body)))).toEqual(expected)
      }),
      { numRuns: runs(200, 10_000) },
    )
  },
)
