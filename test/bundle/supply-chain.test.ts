import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleFunctions } from '../../lib/bundle/bundle.ts'
import { deployedPackages } from '../../lib/bundle/deployed.ts'
import { document } from '../../shared/contract/deployable.ts'
import { customers } from '../../shared/resources/customer.ts'
import { invoices } from '../../shared/resources/invoice.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

interface Locked {
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly hasInstallScript?: boolean
}
type Versions = Readonly<Record<string, string>>

const root = process.cwd()
const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'))
const lockOf = (folder: string) =>
  Object.entries(read(join(folder, 'package-lock.json')).packages as Readonly<Record<string, Locked>>).filter(
    ([path]) => path !== '',
  )
const locked = lockOf('.')
// One function of each operation, and the document’s. `npm run licences` lists the packages in all of them.
const kinds = [invoices.create, invoices.list, invoices.retrieve, customers.update, document]
const deployed = bundleFunctions(temporaryFolder(), kinds).then((bundles) =>
  deployedPackages(
    root,
    bundles.map(({ metafile }) => metafile),
  ),
)

describe.each(['.', 'tools/packages'])('the dependencies of %s', (folder) => {
  it('have exact versions', () => {
    const manifest = read(join(folder, 'package.json')) as Readonly<Record<string, Versions | undefined>>
    const { dependencies, devDependencies, optionalDependencies } = manifest
    const versions = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
    expect(versions.length).toBeGreaterThan(3)
    for (const [name, version] of versions) expect(`${name}@${version}`).toMatch(/@\d+\.\d+\.\d+$/)
  })

  it('are locked with a digest and without a registry', () => {
    const packages = lockOf(folder)
    expect(packages.length).toBeGreaterThan(80)
    expect(packages.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
    // A dependency bundled inside a package is covered by that package's digest.
    const open = packages.filter(([, each]) => !each.integrity && !('inBundle' in each))
    expect(open).toEqual([])
  })
})

describe('the packages in deployed bundles', () => {
  it('run no install scripts', async () => {
    const names = (await deployed).map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining(['@aws-sdk/client-dynamodb', '@middy/core', '@scalar/fastify-api-reference']),
    )
    expect((await deployed).filter(({ installScripts }) => installScripts.length > 0)).toEqual([])
    const paths = new Set(names.map((name) => `node_modules/${name}`))
    expect(locked.filter(([path, { hasInstallScript }]) => hasInstallScript && paths.has(path))).toEqual([])
  })

  it('have permissive licences', async () => {
    const licences = new Set((await deployed).map(({ license }) => license))
    expect([...licences].toSorted()).toEqual(['Apache-2.0', 'MIT'])
  })

  it('have the locked versions', async () => {
    const versions = new Map(
      locked.map(([path, { version }]) => [path.replace(/^.*node_modules\//, ''), version]),
    )
    for (const { name, version } of await deployed)
      expect([name, version]).toEqual([name, versions.get(name)])
  })
})
