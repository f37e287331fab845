import { readFileSync } from 'node:fs'
import { edit, runInCopy, write } from './copy.ts'

/** A step of a recipe in CONTRIBUTING.md. */
export interface Step {
  readonly name: string
  readonly follow: () => void
  /** The check that names a forgotten step: the file of a test, or `types`, and a part of its message. */
  readonly guard?: readonly [check: string, message: string]
}

const generate: Step = {
  name: 'npm run generate',
  follow: () => void runInCopy('bin/generate.ts'),
  guard: ['test/package/generated.test.ts', 'matches the contract'],
}

const TEST_ROWS = 'test/support/requests/write-operations.ts'

/** The example of the recipe: the line of the field in the resource, and its row in the tests. */
const [fieldLine, testRow] = readFileSync('CONTRIBUTING.md', 'utf8').match(/(?<=`)website: [^`]+/g)!

const addSmallFields = (): void => {
  edit('shared/resources/customer.ts', '  fields: {\n', `  fields: {\n${fieldLine}\n`)
  const product = 'shared/resources/product.ts'
  const active = "    active: optional(flag(about('Whether it is sold.', false)), true),\n"
  edit(product, "'Pro plan'))),\n", `'Pro plan'))),\n${active}`)
  edit(product, 'import { descriptive }', 'import { descriptive, optional }')
  edit(product, 'import { text }', 'import { flag, text }')
}

const addSmallFieldRows = (): void => {
  edit(TEST_ROWS, 'const customerFields = {\n', `const customerFields = {\n${testRow}\n`)
  const name = 'fields: { id: required(values.clientIds), name: required(values.text(5_000)) },'
  edit(TEST_ROWS, name, name.replace(' },', ', active: optional(values.flags, true) },'))
}

const addLargestFields = (): void => {
  const note = "    note: optional(text(5_000, about('A note.', 'Paid by card'))),\n"
  const attributes = "    attributes: optional(metadata(about('Your own values.', { region: 'EU' })), {}),\n"
  const rows = '      note: optional(values.text(5_000)),\n      attributes: optional(values.metadata, {}),\n'

  const price = 'shared/resources/price.ts'
  edit(price, '  fields: {\n', `  fields: {\n${note}${attributes}`)
  edit(price, 'flag, minorUnitsFromZero', 'flag, metadata, minorUnitsFromZero')
  edit(TEST_ROWS, '      product_id: hidden(', `${rows}      product_id: hidden(`)

  const discount = 'shared/resources/discount.ts'
  edit(discount, '  fields: {\n', `  fields: {\n${note}${attributes}`)
  edit(discount, 'import { currency, ', 'import { currency, metadata, ')
  const discountName = '      name: required(values.text(5_000)),\n      duration:'
  edit(TEST_ROWS, discountName, `${rows}${discountName}`)

  const invoice = 'shared/resources/invoice.ts'
  edit(invoice, '  fields: {\n', `  fields: {\n${note}${attributes}`)
  edit(
    invoice,
    'import { currency, minorUnits, objectList, ',
    'import { currency, metadata, minorUnits, objectList, text, ',
  )
  edit(TEST_ROWS, '      total: required(', `${rows}      total: required(`)

  const line = 'shared/resources/line-item.ts'
  edit(line, '  amount: optional(\n', `${note}  amount: optional(\n`)
  edit(line, 'integer, minorUnits, oneOf, ', 'integer, minorUnits, oneOf, text, ')
  const amount = '      amount: optional(values.amounts),\n'
  edit(TEST_ROWS, amount, `      note: optional(values.text(5_000)),\n${amount}`)
}

const restateLimits = (): void => {
  edit(
    'SECURITY.md',
    '4.85 MB each | 150 a second send data for 235 dollars',
    '4.86 MB each | 150 a second send data for 236 dollars',
  )
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
  list: defineList(refund),
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

const refundOperations = ['GET /api/refunds', 'POST /api/refunds', 'GET /api/refunds/{id}']

const versionHandler = `import manifest from '../../package.json' with { type: 'json' }
import { requestIdOf } from '../../shared/http/request.ts'
import { createResponse, responseForMethod } from '../../shared/http/responses.ts'
import type { Handler } from '../../shared/http/serve.ts'

export const handler: Handler = async (event) => {
  const body = JSON.stringify({ data: { version: manifest.version } })
  return responseForMethod(event.httpMethod, createResponse(200, body, requestIdOf(event)))
}
`

const versionTest = `import { clientForTests, serveForTests } from '../support/requests/service.ts'

serveForTests()
const client = clientForTests()

it('returns the version', async () => {
  expect(await client.get('/version')).toMatchObject({ status: 200 })
})
`

const versionFunction = `import type { Deployable } from './deployable.ts'

export const versionFunction: Deployable = {
  id: 'version.retrieve',
  method: 'GET',
  path: '/version',
  summary: 'The version of the service',
  file: 'functions/version/retrieve.ts',
  usesTable: false,
  throttle: 'document',
}
`

const concentration = `import type { Dataset } from './dataset.ts'
import { netCustomerRankings } from './invoiced.ts'

export const largestShares = (dataset: Dataset) =>
  netCustomerRankings(dataset).map(({ currency, rows }) => ({
    currency,
    largest: Math.max(0, ...rows.map(({ amount }) => amount)),
  }))
`

export const recipes: Readonly<Record<string, readonly Step[]>> = {
  'Add a field': [
    {
      name: 'fields',
      follow: addSmallFields,
      guard: ['test/api/fields.test.ts', 'has values for all fields'],
    },
    {
      name: 'rows of the tests',
      follow: addSmallFieldRows,
      guard: ['test/api/fields.test.ts', 'has values for all fields'],
    },
    { name: 'the largest fields', follow: addLargestFields },
    {
      name: 'limits',
      follow: restateLimits,
      guard: ['test/store/one-client.test.ts', 'SECURITY.md states the limits'],
    },
    { name: 'a derived field', follow: addDerivedField },
    generate,
  ],
  'Add a resource': [
    {
      name: 'declaration',
      follow: () => write('shared/resources/refund.ts', refundSource),
      guard: ['types', 'refund.ts'],
    },
    {
      name: 'catalogue',
      follow: () => {
        const catalogue = 'shared/catalogue.ts'
        edit(catalogue, '  discounts,\n', '  discounts,\n  refunds,\n')
        edit(
          catalogue,
          'import { products }',
          "import { refunds } from './resources/refund.ts'\nimport { products }",
        )
      },
      guard: ['test/architecture.test.ts', 'has a handler file for every entry'],
    },
    {
      name: 'handlers',
      follow: () => {
        for (const operation of ['list', 'create', 'retrieve'])
          write(`functions/refunds/${operation}.ts`, handlerSource(operation))
      },
      guard: ['test/architecture.test.ts', 'has a handler file for every entry'],
    },
    generate,
    {
      name: 'rows of the tests',
      follow: () => {
        edit(TEST_ROWS, "  'invoices.create': {\n", `${refundRows}  'invoices.create': {\n`)
        edit(TEST_ROWS, 'import {', "import { randomUUID } from 'node:crypto'\nimport {")
      },
      guard: ['test/api/fields.test.ts', 'has values for all fields of the body of refunds.create'],
    },
    {
      name: 'routes that write',
      follow: () => edit('docs/operating.md', ' invoices/POST; do', ' invoices/POST refunds/POST; do'),
      guard: ['test/documents.test.ts', 'stops every route that writes'],
    },
    {
      name: 'table of operations',
      follow: () => {
        const cells = refundOperations.map((operation) => `\`${operation}\``).join(' | ')
        edit('README.md', '| subscriptions |', `| refunds | ${cells} | |\n| subscriptions |`)
      },
      guard: ['test/documents.test.ts', 'README.md has every operation'],
    },
    {
      name: 'prefix of ids',
      follow: () => edit('docs/api.md', '`inv_…`, `sub_…`.', '`inv_…`, `ref_…`, `sub_…`.'),
      guard: ['test/documents.test.ts', 'explains the prefix of every id'],
    },
    {
      name: 'filter',
      follow: () =>
        edit('docs/api.md', 'on invoices and subscriptions,', 'on invoices, refunds and subscriptions,'),
      guard: ['test/documents.test.ts', 'explains every filter'],
    },
  ],
  'Add an endpoint that belongs to no resource': [
    {
      name: 'declaration',
      follow: () => {
        write('shared/contract/version-function.ts', versionFunction)
        edit(
          'shared/catalogue.ts',
          '...catalogue, documentFunction]',
          '...catalogue, documentFunction, versionFunction]',
        )
        edit(
          'shared/catalogue.ts',
          'import type { Includes }',
          "import { versionFunction } from './contract/version-function.ts'\nimport type { Includes }",
        )
      },
      guard: ['test/architecture.test.ts', 'has a handler file for every entry'],
    },
    {
      name: 'handler',
      follow: () => write('functions/version/retrieve.ts', versionHandler),
      guard: ['test/architecture.test.ts', 'has a handler file for every entry'],
    },
    {
      name: 'document',
      follow: () =>
        edit(
          'shared/openapi/operations.ts',
          'const otherPaths: Readonly<Record<string, JsonObject>> = {',
          `const otherPaths: Readonly<Record<string, JsonObject>> = {
  '/version': {
    get: {
      operationId: 'retrieveVersion',
      summary: 'Retrieve the version of the service',
      security: [],
      responses: {
        200: {
          description: 'The version.',
          content: { 'application/json': { schema: { type: 'object', required: ['data'] } } },
        },
      },
    },
  },
`,
        ),
      guard: ['test/openapi/document.test.ts', 'has the operation of version.retrieve'],
    },
    generate,
    {
      name: 'README',
      follow: () =>
        edit('README.md', '| subscriptions |', '| version | | | `GET /version` | |\n| subscriptions |'),
      guard: ['test/documents.test.ts', 'README.md has every operation'],
    },
    { name: 'test', follow: () => write('test/api/version.test.ts', versionTest) },
  ],
  'Add an alarm': [
    {
      name: 'definition',
      follow: () => {
        const alarms = 'lib/monitoring/alarms.ts'
        edit(alarms, '  serverErrorRateOfFew,\n', '  serverErrorRateOfFew,\n  systemErrors,\n')
        edit(
          alarms,
          '  private watchEvents(',
          `  private watchDatabase(table: ITable): void {
    this.add('TableErrors', {
      name: 'dynamodb-errors',
      metric: systemErrors(table),
      threshold: 10,
      periods: REPEATED,
      description: 'DynamoDB returned internal errors.',
    })
  }

  private watchEvents(`,
        )
        edit(
          alarms,
          '    this.watchLimits(props)\n',
          '    this.watchLimits(props)\n    this.watchDatabase(props.table)\n',
        )
      },
      guard: ['test/stack/templates.test.ts', 'each alarm has data'],
    },
    {
      name: 'guide',
      follow: () =>
        edit(
          'docs/operating.md',
          '| `event-failures` |',
          '| `dynamodb-errors` | DynamoDB returned ten or more internal errors in five minutes, for ten minutes | `database-busy` | Nothing: clients retry. |\n| `event-failures` |',
        ),
      guard: ['test/stack/templates.test.ts', 'explains every alarm'],
    },
    {
      name: 'costs',
      follow: () => edit('docs/performance.md', '11 alarms on 35 metrics', '12 alarms on 41 metrics'),
      guard: ['test/stack/templates.test.ts', 'states the number of alarms'],
    },
    {
      name: 'data',
      follow: () => {
        const data = 'test/stack/templates/monitoring.ts'
        edit(
          data,
          "  ['event-failures', 2,",
          "  ['dynamodb-errors', 2, { 'SystemErrors GetItem': 10 }],\n  ['event-failures', 2,",
        )
        edit(
          data,
          "  ['event-failures', 1,",
          "  ['dynamodb-errors', 5, { 'SystemErrors GetItem': 9 }],\n  ['event-failures', 1,",
        )
      },
      guard: ['test/stack/templates.test.ts', 'each alarm has data'],
    },
  ],
  'Add a setting of a stage': [
    {
      name: 'declaration',
      follow: () =>
        edit(
          'lib/stages.ts',
          '  readonly corsOrigin?: string\n',
          '  readonly corsOrigin?: string\n  /** Shown beside the API in the console of AWS. */\n  readonly description?: string\n',
        ),
      guard: ['types', 'description'],
    },
    {
      name: 'use',
      follow: () =>
        edit(
          'lib/gateway/api.ts',
          "description: 'Subscription Billing Data API'",
          "description: settings.description ?? 'Subscription Billing Data API'",
        ),
      guard: ['test/stack/templates.test.ts', 'a stack reads every setting'],
    },
    {
      name: 'the stage that uses every option',
      follow: () =>
        edit(
          'test/support/stack/test-stages.ts',
          '  docs: true,\n',
          "  description: 'Billing of everything',\n  docs: true,\n",
        ),
      guard: ['types', "'description' is optional"],
    },
  ],
  'Add an option of the import': [
    {
      name: 'declaration',
      follow: () =>
        edit(
          'tools/transfer/import/import-command.ts',
          '  concurrency: {',
          "  quiet: { about: 'prints no summary' },\n  concurrency: {",
        ),
      guard: ['types', 'quiet'],
    },
    {
      name: 'use',
      follow: () => {
        edit(
          'tools/transfer/import/import-command.ts',
          '    updates: values.update,',
          '    isQuiet: values.quiet,\n    updates: values.update,',
        )
        edit(
          'tools/transfer/import/import.ts',
          '  readonly updates: boolean\n',
          '  readonly updates: boolean\n  readonly isQuiet: boolean\n',
        )
        edit(
          'tools/transfer/import/import-command.ts',
          '    progress.showSummary(',
          '    if (!settings.isQuiet) progress.showSummary(',
        )
      },
      guard: ['test/transfer/import/import-options.test.ts', 'the option --quiet'],
    },
    {
      name: 'guide',
      follow: () => edit('docs/data.md', '`--concurrency', '`--quiet` prints no summary. `--concurrency'),
      guard: ['test/transfer/import/import-options.test.ts', 'the option --quiet'],
    },
    {
      name: 'test',
      follow: () =>
        write(
          'test/transfer/import/quiet.test.ts',
          `import { clientForTests, serveForTests } from '../../support/requests/service.ts'
import { importContents } from '../importing.ts'

serveForTests()
const client = clientForTests()

it('prints no summary with --quiet', async () => {
  const { counts } = await importContents(client, { 'customers.csv': 'id\\n1\\n' }, '--quiet')
  expect(counts.created).toBe(1)
})
`,
        ),
      guard: ['test/transfer/import/import-options.test.ts', 'the option --quiet'],
    },
  ],
  'Add a figure': [
    {
      name: 'computation',
      follow: () => write('client/analytics/concentration.ts', concentration),
      guard: ['types', 'concentration.ts'],
    },
    {
      name: 'export',
      follow: () => {
        const index = 'client/analytics/index.ts'
        edit(
          index,
          'import { coverageIn }',
          "import { largestShares } from './concentration.ts'\nimport { coverageIn }",
        )
        edit(
          index,
          'export const customerCohorts =',
          `export const largestCustomers = figure(largestShares)

/** Returns cohorts. @example customerCohorts(invoices, now) */
export const customerCohorts =`,
        )
      },
      guard: ['test/client/analytics/properties.test.ts', 'the same figures all at once'],
    },
    {
      name: 'all figures',
      follow: () => {
        const all = 'client/analytics/all-figures.ts'
        edit(
          all,
          'import { coverageIn }',
          "import { largestShares } from './concentration.ts'\nimport { coverageIn }",
        )
        edit(
          all,
          '    customerCohorts:',
          '    largestCustomers: largestShares(dataset),\n    customerCohorts:',
        )
      },
      guard: ['test/client/analytics/properties.test.ts', 'the same figures all at once'],
    },
    {
      name: 'guide',
      follow: () =>
        edit(
          'docs/analytics.md',
          '| Who are the largest customers? |',
          '| How much is the largest customer billed? | `largestCustomers` | net |\n| Who are the largest customers? |',
        ),
      guard: ['test/documents.test.ts', 'explains every exported function of the figures'],
    },
  ],
  'Add a column of a list': [
    {
      name: 'column',
      follow: () =>
        edit(
          'console/lists/columns.ts',
          "    { key: 'discount', title: 'Discount',",
          "    { key: 'lines', title: 'Lines', kind: 'count', phone: 'wide' },\n    { key: 'discount', title: 'Discount',",
        ),
    },
    {
      name: 'cells',
      follow: () =>
        edit(
          'console/lists/rows.ts',
          '      discount: inCurrency(discount),',
          '      lines: invoice.line_items.length,\n      discount: inCurrency(discount),',
        ),
      guard: ['test/console/copy/columns.test.ts', 'has a cell for each column'],
    },
    {
      name: 'tests of all columns',
      follow: () => {
        const tests = 'test/console/copy/local-copy.test.ts'
        edit(tests, '450.00,0.00,mixed', '450.00,0.00,2,mixed')
        edit(tests, '"One-off, net",Discount,Id', '"One-off, net",Discount,Lines,Id')
        edit(tests, '0.00,0.00,today`', '0.00,0.00,1,today`')
        edit(tests, '0.00,0.00,credit`', '0.00,0.00,1,credit`')
        edit(tests, '0.00,0.00,last-week`', '0.00,0.00,1,last-week`')
        edit(tests, '0,0,may', '0,0,1,may')
      },
      guard: ['test/console/copy/local-copy.test.ts', 'as CSV has all rows'],
    },
  ],
  'Add a tile or a chart to the overview': [
    {
      name: 'tile',
      follow: () =>
        edit(
          'console/charts/overview-tiles.ts',
          '/** The tiles of the overview,',
          `const averageInvoice = ({ currency }: Overview): TileData => ({
  title: 'Average invoice',
  value: money(0, currency),
})

/** The tiles of the overview,`,
        ),
      guard: ['types', 'averageInvoice'],
    },
    {
      name: 'list of tiles',
      follow: () =>
        edit(
          'console/charts/overview-tiles.ts',
          '  invoicedSoFar,\n]',
          '  invoicedSoFar,\n  averageInvoice,\n]',
        ),
      guard: ['types', "'averageInvoice' is declared but its value is never read"],
    },
    {
      name: 'chart',
      follow: () =>
        edit(
          'console/charts/overview-charts.tsx',
          'export const renewalsChart =',
          `export const activeChart = ({ customersByMonth: months }: Overview): ChartData => ({
  title: 'Active customers by month',
  months,
  kind: 'bars',
  series: [seriesOf(months, 'active', 'Active')],
  explanation: 'The customers who are active at the end of each month.',
})

export const renewalsChart =`,
        ),
      guard: ['types', 'activeChart'],
    },
    {
      name: 'card',
      follow: () => {
        const view = 'console/views/figures/overview-view.tsx'
        edit(view, '  customersChart,\n', '  activeChart,\n  customersChart,\n')
        edit(
          view,
          "  { width: 'third', content: (overview) => chart(customersChart(overview)) },",
          "  { width: 'third', content: (overview) => chart(customersChart(overview)) },\n  { width: 'full', content: (overview) => chart(activeChart(overview)) },",
        )
      },
      guard: ['test/conventions.test.ts', 'exports a function or a value only if'],
    },
  ],
}
