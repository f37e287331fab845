import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { cleanUp, startLocal } from '../support/local-process.ts'

/** Follows the recipes of docs/developing.md in a copy of the project, which uses its node_modules. */
const copy = 'dist/recipes'
const parts = [
  ...['bin', 'client', 'functions', 'lib', 'shared', 'package.json', 'cdk.json'],
  ...['README.md', 'docs', 'bench', 'test', 'tools', 'jest.config.js'],
]

const edit = (file: string, change: (text: string) => string): void => {
  const before = readFileSync(join(copy, file), 'utf8')
  const after = change(before)
  if (after === before) throw new Error(`nothing to change in ${file}`)
  writeFileSync(join(copy, file), after)
}

/** Runs a Node script in the copy and returns its output. Throws Error with the output if it fails. */
const node = (...args: string[]): string => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    ...{ cwd: copy, encoding: 'utf8' },
    env: { ...process.env, CDK_OUTDIR: 'cdk.out' },
  })
  if (status !== 0) throw new Error(`node ${args.join(' ')}: ${stdout}${stderr}`)
  return stdout
}

/** "Add a field": one line in the file of its resource. */
const addField = (): void => {
  const line = "    website: optional(text(255, about('The home page.', 'https://example.org'))),\n"
  edit('shared/resources/customer.ts', (text) => text.replace('  fields: {\n', `  fields: {\n${line}`))
}

/** "Add a noun": its file, a line in the catalogue, and a handler of three lines for each operation. */
const addNoun = (): void => {
  writeFileSync(
    join(copy, 'shared/resources/refund.ts'),
    `import { about, example } from '../contract/about.ts'
import { create, list, retrieve } from '../contract/endpoint.ts'
import { currency, minorUnitsFromZero } from '../contract/fields.ts'
import { parent } from '../contract/identifiers.ts'
import { resource } from '../contract/resource.ts'

export const refund = resource({
  name: 'refund',
  plural: 'refunds',
  prefix: 'ref',
  about: about('Money that was given back.', 'refund-1'),
  fields: {
    amount: minorUnitsFromZero(about('The amount, in minor units (cents).', 500)),
    currency: currency(about('The currency of the amount.', 'EUR')),
    customer_id: parent('customer', about('Who got it.', 1042)),
  },
})

export const refunds = {
  list: list(refund, { filter: 'customer_id' }),
  create: create(refund, { examples: { refund: example('A refund') } }),
  retrieve: retrieve(refund),
}
`,
  )
  edit('shared/catalogue.ts', (text) =>
    text
      .replace('  discounts,\n', '  discounts,\n  refunds,\n')
      .replace('import { products }', "import { refunds } from './resources/refund.ts'\nimport { products }"),
  )
  mkdirSync(join(copy, 'functions/refunds'))
  for (const operation of ['list', 'create', 'retrieve']) {
    const reads = operation !== 'retrieve'
    writeFileSync(
      join(copy, `functions/refunds/${operation}.ts`),
      `import { serve } from '../../shared/http/serve.ts'
${reads ? "import { customer } from '../../shared/resources/customer.ts'\n" : ''}import { refunds } from '../../shared/resources/refund.ts'
import { ${operation} } from '../../shared/store/operations.ts'

export const handler = serve(refunds.${operation}, ${operation}${reads ? ', { customer }' : ''})
`,
    )
  }
}

beforeAll(() => {
  rmSync(copy, { recursive: true, force: true })
  mkdirSync(copy, { recursive: true })
  for (const part of parts) cpSync(part, join(copy, part), { recursive: true })
  symlinkSync('../../node_modules', join(copy, 'node_modules'))
  const { compilerOptions } = JSON.parse(readFileSync('tsconfig.json', 'utf8'))
  const include = ['client', 'functions', 'lib', 'shared', 'tools/package']
  writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify({ compilerOptions, include }))
  addField()
  addNoun()
  node('bin/generate.ts')
})
afterAll(() => {
  cleanUp()
  rmSync(copy, { recursive: true, force: true })
})

it('the types of the service and of its client follow', () => {
  writeFileSync(
    join(copy, 'client/use.ts'),
    `import { createClient } from './index.ts'
const client = createClient({ baseUrl: 'http://localhost', appId: 'a', apiKey: 'k' })
export const use = async (): Promise<string | null> => {
  const { items } = await client.refunds.list({ customer_id: 1, include: ['external_id'] })
  await client.refunds.create({ id: 1, amount: items[0]!.amount, currency: 'EUR', customer_id: 1 })
  // @ts-expect-error a required field is missing
  await client.refunds.create({ id: 1, amount: 1, currency: 'EUR' })
  return (await client.customers.retrieve(1)).website
}
`,
  )
  expect(node('../../node_modules/typescript/bin/tsc', '-p', '.')).toBe('')
})

it('the document describes them', () => {
  const document = readFileSync(join(copy, 'docs/openapi.json'), 'utf8')
  expect(document).toContain('"/api/refunds/{id}"')
  expect(document).toContain('"website": "https://example.org"')
  expect(document).not.toContain('undefined')
})

it('the local service serves them to the client', async () => {
  const program = [process.execPath, join(copy, 'bin/local.ts')]
  const { baseUrl, demo } = await startLocal({ PORT: '0' }, ['--memory'], program)
  const { createClient } = await import(resolve(copy, 'client/index.ts'))
  const client = createClient({ baseUrl, appId: demo.app_id, apiKey: demo.api_key })
  const website = 'https://ann.example.org'
  expect(await client.customers.create({ id: 1, website })).toMatchObject({ website })
  const refund = { id: 'r', amount: 5, currency: 'eur', customer_id: 1 }
  expect(await client.refunds.create(refund)).toMatchObject({ amount: 5, currency: 'EUR' })
  expect((await client.refunds.list({ customer_id: 1 })).items).toHaveLength(1)
  await expect(client.refunds.create({ ...refund, customer_id: 2 })).rejects.toThrow('customer_id must')
})

it('the stack deploys them with the permissions that they need', () => {
  node('bin/cdk.ts')
  const [file] = readdirSync(join(copy, 'cdk.out')).filter((name) => name.endsWith('.template.json'))
  const { Resources } = JSON.parse(readFileSync(join(copy, 'cdk.out', file!), 'utf8')) as {
    Resources: Record<string, { Type: string; Properties: object }>
  }
  const policy = Object.entries(Resources).find(
    ([id, { Type }]) => Type === 'AWS::IAM::Policy' && id.startsWith('RefundsCreate'),
  )
  expect(JSON.stringify(policy)).toContain('dynamodb:BatchGetItem')
  expect(JSON.stringify(policy)).toContain('dynamodb:PutItem')
})

it('the tests of all operations include them: races, tenants, faults, statuses and examples, grants, smoke tour', () => {
  const tests = [
    ...['api/create-races', 'api/tenants', 'faults/lost', 'faults/passing'],
    ...['openapi/statuses', 'stack/grants', 'smoke/tour'],
  ]
  const options = ['--runInBand', '--json', '--testNamePattern=refund|every|operation']
  const { testResults } = JSON.parse(node('node_modules/jest/bin/jest.js', ...options, ...tests)) as {
    testResults: { assertionResults: { title: string; status: string }[] }[]
  }
  const passed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ title, status }) => title.includes('refund') && status === 'passed')
  expect(passed.length).toBeGreaterThan(10)
})
