import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Follows the recipes of docs/developing.md in a copy of the project, and runs its compiler and all of its tests. */

const copy = resolve('dist/recipes')
/** What is installed or built, which a copy takes from the project or makes again. */
const made = ['.git', 'node_modules', 'dist', 'cdk.out', 'coverage', '.local']

/** Replaces a text of a file in the copy. Throws Error if it is not there. */
const edit = (file: string, from: string, to: string): void => {
  const text = readFileSync(join(copy, file), 'utf8')
  if (!text.includes(from)) throw new Error(`${file} does not contain ${from}`)
  writeFileSync(
    join(copy, file),
    text.replace(from, () => to),
  )
}

const write = (file: string, text: string): void => writeFileSync(join(copy, file), text)

const addField = (): void => {
  const website = "    website: optional(text(255, about('The home page.', 'https://example.org'))),\n"
  edit('shared/resources/customer.ts', '  fields: {\n', `  fields: {\n${website}`)
  const row = '  website: optional(v.text(255)),\n'
  edit('test/support/writing.ts', 'const customerFields = {\n', `const customerFields = {\n${row}`)
}

const refund = `import { about, example } from '../contract/about.ts'
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
`

const refundRows = `  'refunds.create': {
    body: (fields) => ({ id: randomUUID(), amount: 5, currency: 'EUR', customer_id: existing.customer, ...fields }),
    fields: {
      id: required(v.clientIds),
      amount: required(v.amountsFromZero),
      currency: required(v.currencies),
      customer_id: known(existing.customer),
    },
  },
`

const handler = (operation: string): string => {
  const readsCustomer = operation !== 'retrieve'
  return `import { serve } from '../../shared/http/serve.ts'
${readsCustomer ? "import { customer } from '../../shared/resources/customer.ts'\n" : ''}import { refunds } from '../../shared/resources/refund.ts'
import { ${operation} } from '../../shared/store/operations.ts'

export const handler = serve(refunds.${operation}, ${operation}${readsCustomer ? ', { customer }' : ''})
`
}

const addResource = (): void => {
  write('shared/resources/refund.ts', refund)
  const catalogue = 'shared/catalogue.ts'
  edit(catalogue, '  discounts,\n', '  discounts,\n  refunds,\n')
  edit(
    catalogue,
    'import { products }',
    "import { refunds } from './resources/refund.ts'\nimport { products }",
  )
  mkdirSync(join(copy, 'functions/refunds'))
  for (const operation of ['list', 'create', 'retrieve'])
    write(`functions/refunds/${operation}.ts`, handler(operation))
  const rows = 'test/support/writing.ts'
  edit(rows, "  'invoices.create': {\n", `${refundRows}  'invoices.create': {\n`)
  edit(rows, 'import {', "import { randomUUID } from 'node:crypto'\nimport {")
  edit('docs/operating.md', ' invoices/POST; do', ' invoices/POST refunds/POST; do')
}

/** Runs a Node script in the copy. Returns whether it succeeds. */
const node = (...args: string[]): boolean =>
  spawnSync(process.execPath, args, { cwd: copy, stdio: 'inherit' }).status === 0

rmSync(copy, { recursive: true, force: true })
for (const part of readdirSync('.').filter((name) => !made.includes(name)))
  cpSync(part, join(copy, part), { recursive: true })
symlinkSync(resolve('node_modules'), join(copy, 'node_modules'))
addField()
addResource()
const succeeds =
  node('bin/generate.ts') && node('node_modules/typescript/bin/tsc') && node('node_modules/jest/bin/jest.js')
rmSync(copy, { recursive: true })
process.exitCode = succeeds ? 0 : 1
