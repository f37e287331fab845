import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { pastedBlocks } from '../support/documents/shell-portability.ts'
import { installNpmPackages } from '../support/packages/npm-packages.ts'
import { temporaryFolder } from '../support/processes/temporary-folder.ts'
import { type PublicName, publicNames } from './public-names.ts'

/**
 * The package as its users get it: packed, installed into an empty project, and used as its documents say.
 */

const run = promisify(execFile)
const folder = realpathSync(temporaryFolder())
const project = join(folder, 'project')

const put = (file: string, text: string): void => writeFileSync(join(project, file), text)

const npm = (...args: string[]) =>
  run('npm', [...args, '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: project })

const node = async (...args: string[]): Promise<string> =>
  (await run(process.execPath, args, { cwd: project })).stdout

const [client = '', testing = ''] = readFileSync('docs/client.md', 'utf8').split(
  '\n## Test your application\n',
)

const blocksIn = (text: string, language: string): string[] => pastedBlocks(text, [language])

const documentBlocks = (file: string, language: string): string[] =>
  blocksIn(readFileSync(file, 'utf8'), language)

const modules = ['', '/client', '/analytics', '/testing'].map((entry) => `billing-data-api${entry}`)
let exported: ReadonlyMap<string, readonly PublicName[]>
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
const tarball = `./billing-data-api-${version}.tgz`
/** The guide's command, without the engines of other machines, which this registry may not have. */
const engine = `@dynoxide/${process.platform}-${process.arch}`
const [installCommand = ''] = blocksIn(testing, 'sh')
const installEngine = installCommand
  .trim()
  .split(' ')
  .filter((word) => !word.startsWith('@dynoxide/') || word.startsWith(engine))
  .join(' ')

beforeAll(async () => {
  await run(process.execPath, ['bin/package.ts'])
  mkdirSync(project)
  put('package.json', '{ "private": true, "type": "module" }\n')
  await npm('pack', resolve('dist/package'))
  await npm('install', tarball)
  exported = await publicNames(project, modules)
})

describe('the package', () => {
  it('has no dependencies in production', () => {
    const installed = readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))
    expect(installed).toEqual(['billing-data-api'])
  })

  it('contains the licences of the bundled packages', () => {
    const text = readFileSync(join(project, 'node_modules/billing-data-api/THIRD-PARTY-NOTICES.txt'), 'utf8')
    for (const part of ['@aws-sdk/client-dynamodb 3', '@middy/core 7', 'Apache License', 'MIT License'])
      expect(text).toContain(part)
    expect(text).not.toContain('License: none stated')
  })

  it('has types that resolve for every way to import it, checked by attw', async () => {
    const { stdout } = await run(join(await installNpmPackages(), 'attw'), [tarball], { cwd: project })
    expect(stdout).toContain('No problems found')
  })

  it.each(modules)(
    'can be required and imported, and exports the values of its declarations: %s',
    async (module) => {
      const values = exported
        .get(module)!
        .filter(({ declarations }) => /^\(alias\) (const|class) /.test(declarations))
      const required = await node('-p', `Object.keys(require('${module}')).sort().join()`)
      const script = `console.log(Object.keys(await import('${module}')).sort().join())`
      expect(required).toBe(`${values.map(({ name }) => name).sort()}\n`)
      expect(await node('--input-type=module', '-e', script)).toBe(required)
    },
  )

  it('has one client, imported under either name', async () => {
    const script = `const names = ['billing-data-api', 'billing-data-api/client']
      const [first, second] = await Promise.all(names.map((name) => import(name)))
      console.log(first.createClient === second.createClient)`
    expect(await node('--input-type=module', '-e', script)).toBe('true\n')
  })

  it('explains how to install the engine if it is missing, with the command of the guide', async () => {
    const script = `require('billing-data-api/testing').createTestService().catch(({ message }) => console.log(message))`
    const { stdout } = await run(process.execPath, ['-e', script], { cwd: project })
    expect(stdout).toBe(
      `the DynamoDB engine of this platform, ${engine}, is not installed; run "${installEngine}"\n`,
    )
  })
})

describe('a project with the package', () => {
  beforeAll(() => npm(...installEngine.split(' ').slice(1)))

  /** The environment has the service's credentials. */
  const withService = async <T>(work: (env: NodeJS.ProcessEnv) => Promise<T>): Promise<T> => {
    // In another folder, as with npx.
    const program = spawn(join(project, 'node_modules/.bin/billing-data-api'), {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    try {
      const [line] = (await once(createInterface(program.stdout), 'line')) as [string]
      const { base_url, app_id, api_key } = JSON.parse(line) as Record<string, string>
      return await work({
        ...process.env,
        BILLING_URL: base_url,
        BILLING_APP_ID: app_id,
        BILLING_API_KEY: api_key,
      })
    } finally {
      program.kill()
    }
  }

  /** One after the other, on a service of their own. Returns what the last one prints. */
  const printedBy = (...files: string[]): Promise<string> =>
    withService(async (env) => {
      let printed = ''
      for (const file of files) printed = (await run(process.execPath, [file], { cwd: project, env })).stdout
      return printed
    })

  it('runs the examples of the client, which print what the guide says', async () => {
    put('example.ts', blocksIn(client, 'ts').join(''))
    expect(await printedBy('example.ts')).toBe(blocksIn(client, 'text').join(''))
  })

  it('runs the example of a copy in sync, which prints what the guide says', async () => {
    put('sync.ts', documentBlocks('docs/integrate.md', 'ts')[0]!)
    expect(await printedBy('sync.ts')).toBe(documentBlocks('docs/integrate.md', 'text').join(''))
  })

  it('runs the event handler, which retrieves the entity of an event', async () => {
    const call = `
const { id: customer_id } = await billing.customers.create({ id: 'ann' })
const { id } = await billing.invoices.create({ id: 1, customer_id, subscription_id: 'pro', currency: 'EUR', total: 999,
  created: '2026-01-01', period_start: '2026-01-01', period_end: '2026-02-01', line_items: [{ amount: 999 }] })
await handle(JSON.stringify({ detail: { entity: \`\${process.env.BILLING_APP_ID}#\${id}\` } }))`
    put('events.ts', documentBlocks('docs/events.md', 'ts').join('') + call)
    expect(await printedBy('events.ts')).toMatch(/^inv_\w+ has 1 lines\n$/)
  })

  it('runs the program that prints figures', async () => {
    put('figures.mjs', documentBlocks('docs/analytics.md', 'js').join(''))
    const printed = await printedBy('example.ts', 'figures.mjs')
    const lines = printed
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const figures = lines.at(-1)
    expect(lines[0]).toMatchObject({ name: '2026-01', start: 0, end: 999, netRetention: null })
    expect(figures.coverageOf).toMatchObject({ invoices: 1, invoicesWithoutRecurringLine: 0 })
  })

  it('runs the import command, whose usage names npx', async () => {
    const npx = (env: NodeJS.ProcessEnv, ...args: string[]) =>
      run('npx', ['--no', '--', 'billing-data-api', 'import', ...args], { cwd: project, env })
    put('products.csv', 'id,name\na,A\nb,B\n')
    const { stdout } = await withService((env) => npx(env, 'products.csv', '--report', 'report.ndjson'))
    expect(JSON.parse(stdout)).toMatchObject({ rows: 2, created: 2 })
    expect((await npx(process.env, '--recipe')).stdout).toMatch(/^ {2}xero +Xero: the export/m)
    expect((await npx(process.env, '--help')).stdout).toMatch(
      /^usage: npx --no -- billing-data-api import FILE/,
    )
  })

  it('runs the test double with the command of the guide and further options', async () => {
    const command = blocksIn(testing, 'sh').find((block) => block.startsWith('npx'))
    const { stdout } = await run('sh', ['-c', `${command!.trim()} --help`], { cwd: project })
    expect(stdout).toMatch(/^usage: billing-data-api/)
  })

  it('passes the tests of the guide in Jest', async () => {
    put('example.test.ts', blocksIn(testing, 'ts').join(''))
    const transform = {
      '\\.ts$': [resolve('node_modules/@swc/jest'), { jsc: { parser: { syntax: 'typescript' } } }],
    }
    put('jest.config.json', JSON.stringify({ rootDir: project, transform }))
    const { stdout } = await run(
      process.execPath,
      [resolve('node_modules/jest/bin/jest.js'), '--config', 'jest.config.json', '--json'],
      { cwd: project },
    )
    expect(JSON.parse(stdout)).toMatchObject({ numPassedTests: 3, numFailedTests: 0, numTotalTests: 3 })
  })

  it('passes the tests of the guide in Bun', async () => {
    const bun = join(await installNpmPackages(), '../@oven/bun-linux-x64/bin/bun')
    const { stderr } = await run(bun, ['test', 'example.test.ts'], { cwd: project })
    expect(stderr).toMatch(/ 3 pass\n 0 fail\n/)
  })
})

describe('the declarations', () => {
  const options = {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    types: [],
    target: 'ES2020',
    lib: ['ES2020', 'DOM'],
  }
  const compile = async (tsc: string, name: string, more: object, files: string[]): Promise<string> => {
    put(`tsconfig.${name}.json`, JSON.stringify({ compilerOptions: { ...options, ...more }, files }))
    const compiled = await run(tsc, ['-p', `tsconfig.${name}.json`], { cwd: project }).catch((error) => error)
    return compiled.stdout || compiled.stderr || (compiled.message ?? '')
  }
  beforeAll(async () => {
    const text = readFileSync('test/client/types.ts', 'utf8')
    for (const extension of ['ts', 'mts', 'cts'])
      put(`types.${extension}`, text.replace('../../client/index.ts', 'billing-data-api/client'))
    const declared = `declare const [billing, page, error, service, invoices, now]: [
      import('billing-data-api').Client, import('billing-data-api').Page<unknown>, unknown,
      import('billing-data-api/testing').TestService, readonly import('billing-data-api/analytics').Invoice[], number]
    declare const customers: readonly import('billing-data-api').Customer[]
    declare const [month, currentMonth]: [number, number]
    declare const quarters: ReturnType<typeof import('billing-data-api/analytics').cohortsByQuarter>
    declare const months: any`
    const namespaces = modules.map((module, index) => `import type * as module${index} from '${module}'`)
    put('without-dom.mts', namespaces.join('\n'))
    for (const [index, module] of modules.entries()) {
      const names = exported.get(module)!
      const imported = `import { ${names.map(({ name }) => name)} } from '${module}'`
      const examples = names.flatMap(({ examples }) => examples).map((code) => `async () => { ${code} }\n`)
      put(`examples-${index}.mts`, `${imported}\n${declared}\nexport default [\n${examples}]\n`)
    }
  })

  it('document each name with an example, and show nothing in an editor that cannot be imported', () => {
    const names = [...exported.values()].flat()
    writeFileSync('dist/public-names.json', JSON.stringify(names, null, 2))
    const undocumentedOrInternal = names.filter(
      ({ name, documentation, examples, internal }) =>
        // An editor shows how With is computed.
        !documentation || examples.length === 0 || (internal.length > 0 && name !== 'With'),
    )
    expect(names.length).toBeGreaterThan(100)
    expect(undocumentedOrInternal).toEqual([])
  })

  const documented = modules.map((_, index) => `examples-${index}.mts`)
  const inJest = { types: ['node', 'jest'], typeRoots: [resolve('node_modules/@types')] }
  it.each<[string, object, string[]]>([
    ['nodenext', { moduleResolution: 'NodeNext' }, ['types.mts', 'types.cts']],
    ['without the types of DOM and Node', { lib: ['ES2022'] }, ['without-dom.mts']],
    ['doc comments', { lib: ['ES2022', 'DOM'] }, documented],
    ['examples', inJest, ['example.ts', 'events.ts', 'example.test.ts']],
  ])('has declarations that the TypeScript of this project compiles: %s', async (name, more, files) => {
    const options = { module: 'NodeNext', ...more }
    expect(await compile(resolve('node_modules/.bin/tsc'), name, options, files)).toBe('')
  })

  const strictest = { module: 'ESNext', exactOptionalPropertyTypes: true }
  it.each<[string, object, string]>([
    ['Bundler', strictest, 'types.mts'],
    ['node10', { module: 'CommonJS' }, 'types.ts'],
  ])('has declarations that TypeScript 5.9 compiles: %s', async (moduleResolution, more, file) => {
    const tsc = join(await installNpmPackages(), 'tsc')
    expect(await compile(tsc, moduleResolution, { ...more, moduleResolution }, [file])).toBe('')
  })

  it('has declarations that the oldest TypeScript compiles which the guide names', async () => {
    const [, oldest = ''] = /types for TypeScript (\d+\.\d+) or newer/.exec(client.replaceAll('\n', ' '))!
    await npm('install', '--no-save', `typescript-oldest@npm:typescript@~${oldest}.0`)
    const tsc = join(project, 'node_modules/typescript-oldest/bin/tsc')
    const options = { module: 'NodeNext', moduleResolution: 'NodeNext' }
    expect(await compile(tsc, 'oldest', options, ['types.mts', 'types.cts'])).toBe('')
  })
})
