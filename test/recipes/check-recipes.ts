import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/**
 * Follows the recipes of CONTRIBUTING.md in a copy of the project, and runs its compiler and all of its
 * tests.
 */

const copy = resolve('dist/recipes')
/** Files that the copy does not need, or that it links to or creates itself. */
const notCopied = ['.git', 'node_modules', 'dist', 'cdk.out', 'coverage', '.local']

/** Throws Error if the file does not contain the text. */
const edit = (file: string, oldText: string, newText: string): void => {
  const text = readFileSync(join(copy, file), 'utf8')
  if (!text.includes(oldText)) throw new Error(`${file} does not contain ${oldText}`)
  writeFileSync(
    join(copy, file),
    text.replace(oldText, () => newText),
  )
}

const write = (file: string, text: string): void => writeFileSync(join(copy, file), text)

/** The example of the recipe: the line of the field in the resource, and its row in the tests. */
const [fieldLine, testRow] = readFileSync('CONTRIBUTING.md', 'utf8').match(/(?<=`)website: [^`]+/g)!

const addSmallFields = (): void => {
  edit('shared/resources/customer.ts', '  fields: {\n', `  fields: {\n${fieldLine}\n`)
  edit(
    'test/support/requests/write-operations.ts',
    'const customerFields = {\n',
    `const customerFields = {\n${testRow}\n`,
  )
  const product = 'shared/resources/product.ts'
  const active = "    active: optional(flag(about('Whether it is sold.', false)), true),\n"
  edit(product, "'Pro plan'))),\n", `'Pro plan'))),\n${active}`)
  edit(product, 'import { descriptive }', 'import { descriptive, optional }')
  edit(product, 'import { text }', 'import { flag, text }')
  const name = 'fields: { id: required(values.clientIds), name: required(values.text(5_000)) },'
  edit(
    'test/support/requests/write-operations.ts',
    name,
    name.replace(' },', ', active: optional(values.flags, true) },'),
  )
}

const addLargestFields = (): void => {
  const note = "    note: optional(text(5_000, about('A note.', 'Paid by card'))),\n"
  const attributes = "    attributes: optional(metadata(about('Your own values.', { region: 'EU' })), {}),\n"
  const rows = '      note: optional(values.text(5_000)),\n      attributes: optional(values.metadata, {}),\n'
  const testRows = 'test/support/requests/write-operations.ts'

  const price = 'shared/resources/price.ts'
  edit(price, '  fields: {\n', `  fields: {\n${note}${attributes}`)
  edit(price, 'flag, minorUnitsFromZero', 'flag, metadata, minorUnitsFromZero')
  edit(testRows, '      product_id: hidden(', `${rows}      product_id: hidden(`)

  const discount = 'shared/resources/discount.ts'
  edit(discount, '  fields: {\n', `  fields: {\n${note}${attributes}`)
  edit(discount, 'import { currency, ', 'import { currency, metadata, ')
  const discountName = '      name: required(values.text(5_000)),\n      duration:'
  edit(testRows, discountName, `${rows}${discountName}`)

  const invoice = 'shared/resources/invoice.ts'
  edit(invoice, '  fields: {\n', `  fields: {\n${note}${attributes}`)
  edit(
    invoice,
    'import { currency, minorUnits, objectList, ',
    'import { currency, metadata, minorUnits, objectList, text, ',
  )
  edit(testRows, '      total: required(', `${rows}      total: required(`)

  const line = 'shared/resources/line-item.ts'
  edit(line, '  amount: optional(\n', `${note}  amount: optional(\n`)
  edit(line, 'integer, minorUnits, oneOf, ', 'integer, minorUnits, oneOf, text, ')
  const amount = '      amount: optional(values.amounts),\n'
  edit(testRows, amount, `      note: optional(values.text(5_000)),\n${amount}`)
}

const addDerivedField = (): void => {
  const subscription = 'shared/resources/subscription.ts'
  const lines =
    "    line_count: hidden(optional(integer(about('The line items of the latest invoice.', 1)))),\n"
  edit(subscription, '  fields: {\n', `  fields: {\n${lines}`)
  edit(subscription, 'import { count, currency, ', 'import { count, currency, integer, ')
  edit(
    subscription,
    '    interval_rank: recurring ?',
    '    line_count: invoice.line_items.length,\n    interval_rank: recurring ?',
  )
}

const refundSource = `import { about, example } from '../contract/about.ts'
import { defineCreate, defineList, defineRetrieve } from '../contract/endpoint.ts'
import { optional } from '../contract/field.ts'
import { currency, minorUnitsFromZero } from '../contract/fields.ts'
import { parent, reference } from '../contract/identifiers.ts'
import { defineResource } from '../contract/resource.ts'

export const refund = defineResource({
  name: 'refund',
  plural: 'refunds',
  prefix: 'ref',
  about: about('Money that was given back.', 'refund-1'),
  fields: {
    amount: minorUnitsFromZero(about('The amount, in minor units (cents).', 500)),
    currency: currency(about('The currency of the amount.', 'EUR')),
    customer_id: parent('customer', about('The customer who received it.', 1042)),
    price_id: optional(reference('price', about('The refunded price.', 'plan-pro-monthly'))),
  },
})

export const refunds = {
  list: defineList(refund, { filter: 'customer_id' }),
  create: defineCreate(refund, { examples: { refund: example('A refund') } }),
  retrieve: defineRetrieve(refund),
}
`

const refundRows = `  'refunds.create': {
    body: (fields) => ({ id: randomUUID(), amount: 5, currency: 'EUR', customer_id: existingIds.customer, ...fields }),
    fields: {
      id: required(values.clientIds),
      amount: required(values.amountsFromZero),
      currency: required(values.currencies),
      customer_id: referenceTo(existingIds.customer),
      price_id: optional(referenceTo(existingIds.price)),
    },
  },
`

const handlerSource = (operation: string): string =>
  `import { serve } from '../../shared/http/serve.ts'
import { refunds } from '../../shared/resources/refund.ts'
import { ${operation} } from '../../shared/store/operations.ts'

export const handler = serve(refunds.${operation}, ${operation})
`

const addResource = (): void => {
  write('shared/resources/refund.ts', refundSource)
  const catalogue = 'shared/catalogue.ts'
  edit(catalogue, '  discounts,\n', '  discounts,\n  refunds,\n')
  edit(
    catalogue,
    'import { products }',
    "import { refunds } from './resources/refund.ts'\nimport { products }",
  )
  mkdirSync(join(copy, 'functions/refunds'))
  for (const operation of ['list', 'create', 'retrieve'])
    write(`functions/refunds/${operation}.ts`, handlerSource(operation))
  const rows = 'test/support/requests/write-operations.ts'
  edit(rows, "  'invoices.create': {\n", `${refundRows}  'invoices.create': {\n`)
  edit(rows, 'import {', "import { randomUUID } from 'node:crypto'\nimport {")
  edit('docs/operating.md', ' invoices/POST; do', ' invoices/POST refunds/POST; do')
  const operations = ['GET /api/refunds', 'POST /api/refunds', 'GET /api/refunds/{id}'].map(
    (operation) => `\`${operation}\``,
  )
  edit('README.md', '| subscriptions |', `| refunds | ${operations.join(' | ')} | |\n| subscriptions |`)
  edit('docs/api.md', '`inv_…`, `sub_…`.', '`inv_…`, `ref_…`, `sub_…`.')
  edit('docs/api.md', 'on invoices and subscriptions,', 'on invoices, refunds and subscriptions,')
}

const runInCopy = (...args: string[]): boolean =>
  spawnSync(process.execPath, args, { cwd: copy, stdio: 'inherit' }).status === 0

rmSync(copy, { recursive: true, force: true })
for (const part of readdirSync('.').filter((name) => !notCopied.includes(name)))
  cpSync(part, join(copy, part), { recursive: true })
symlinkSync(resolve('node_modules'), join(copy, 'node_modules'))
addSmallFields()
addLargestFields()
addDerivedField()
addResource()
const succeeds =
  runInCopy('bin/generate.ts') &&
  runInCopy('node_modules/typescript/bin/tsc') &&
  runInCopy('node_modules/jest/bin/jest.js')
rmSync(copy, { recursive: true })
process.exitCode = succeeds ? 0 : 1
