import { globSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { termList } from '../../../tools/cli/usage.ts'
import { asksForRecipes, recipeArguments, recipes } from '../../../tools/transfer/recipes/recipes.ts'
import { temporaryFolder } from '../../support/processes/temporary-folder.ts'
import { type Client, newClient, serveForTests } from '../../support/requests/service.ts'
import { type Contents, expectStop, importContents, recordedEntity } from '../importing.ts'

serveForTests()

let client: Client
beforeEach(async () => {
  client = await newClient()
})

const seconds = (date: string): number => Date.parse(date) / 1_000

/** The dates of an invoice without a period. */
const at = (date: string) => ({
  created: seconds(date),
  period_start: seconds(date),
  period_end: seconds(date),
})

/** The files of an export with a row for each invoice, which contains its customer. */
const asBothFiles = (sheet: string): Contents => ({ 'customers.csv': sheet, 'invoices.csv': sheet })

interface Export {
  readonly recipe: string
  readonly files: Contents
  readonly options?: readonly string[]
  readonly customers: Readonly<Record<string, object>>
  readonly invoices: Readonly<Record<string, object>>
  /** The number of skipped records by reason. */
  readonly skipped?: Readonly<Record<string, number>>
}

const xeroSheet = `ContactName,EmailAddress,InvoiceNumber,InvoiceDate,DueDate,Total,TaxTotal,Description,Quantity,UnitAmount,LineAmount,TaxAmount,Currency,Type,Status
Harbour Cafe,ap@harbour.example,INV-1001,11/06/2026,25/06/2026,1150.0000,150.0000,Pro,10.0000,80.0000,800.0000,120.0000,NZD,Sales invoice,Paid
Harbour Cafe,ap@harbour.example,INV-1001,11/06/2026,25/06/2026,1150.0000,150.0000,Setup,1.0000,200.0000,200.0000,30.0000,NZD,Sales invoice,Paid
"Kea, Ltd",,INV-1002,13/06/2026,27/06/2026,115.0000,15.0000,Basic,2.5000,40.0000,100.0000,15.0000,NZD,Sales invoice,Paid
Harbour Cafe,,CN-0001,14/06/2026,14/06/2026,-50.0000,0.0000,Refund,1.0000,-50.0000,-50.0000,0.0000,NZD,Sales credit note,Paid
Harbour Cafe,,INV-1003,15/06/2026,29/06/2026,9.0000,0.0000,Pro,1.0000,9.0000,9.0000,0.0000,NZD,Sales invoice,Voided
`

const zuoraSheet = `Account: Account Number,Account: Name,Account: Currency,Invoice: Invoice Number,Invoice: Invoice Date,Invoice: Amount,Subscription: Name,Rate Plan Charge: Billing Period,Invoice Item: ID,Invoice Item: Service Start Date,Invoice Item: Service End Date,Invoice Item: Charge Amount,Invoice Item: Tax Amount
A-00001,Harbour Cafe,USD,INV-00001,1/1/2026,110,A-S00001,Month,8a01,1/1/2026,1/31/2026,80,8
A-00001,Harbour Cafe,USD,INV-00001,1/1/2026,110,A-S00001,Month,8a02,1/1/2026,1/31/2026,20,2
A-00001,Harbour Cafe,USD,INV-00002,2/1/2026,"1,210.5",A-S00001,Month,8a03,2/1/2026,2/28/2026,"1,100.5",110
A-00001,Harbour Cafe,USD,INV-00003,2/3/2026,25,A-S00001,,8a04,2/3/2026,2/3/2026,25,0
`

const recurlySheet = `uuid,account_code,subscription_id,invoice_id,adjustment_status,adjustment_type,adjustment_created_at,adjustment_start_at,adjustment_end_at,adjustment_description,adjustment_quantity,adjustment_currency,adjustment_amount,adjustment_total,adjustment_taxable,adjustment_discount,adjustment_tax,adjustment_origin,invoice_number,invoice_state,invoice_billed_date,invoice_type,account_name,adjustment_plan_code
b964,123122E,1fed8d15,4bdb2171,invoiced,charge,2026-02-19 12:01:33 UTC,2026-02-19 12:01:33 UTC,2026-03-19 12:01:33 UTC,Gold Plan,2,USD,100,99.75,1,5,4.75,plan,1291,paid,2026-02-19 12:01:33 UTC,purchase,JJ Smith,gold
b965,123122E,,4bdb2171,invoiced,charge,2026-02-19 12:01:33 UTC,2026-02-19 12:01:33 UTC,2026-02-19 12:01:33 UTC,Onboarding,1,USD,50,50,0,0,0,debit,1291,paid,2026-02-19 12:01:33 UTC,purchase,JJ Smith,
b966,123122E,,4bdb2172,invoiced,credit,2026-02-20 08:00:00 UTC,2026-02-20 08:00:00 UTC,2026-02-20 08:00:00 UTC,Onboarding,1,USD,-50,-50,0,0,0,debit,1292,paid,2026-02-20 08:00:00 UTC,refund,JJ Smith,
`

const shopifySheet = `Name,Email,Financial Status,Paid at,Cancelled at,Fulfillment Status,Fulfilled at,Accepts Marketing,Currency,Subtotal,Shipping,Taxes,Total,Discount Code,Discount Amount,Shipping Method,Created at,Lineitem quantity,Lineitem name,Lineitem price,Billing Name,Refunded Amount,Id
#1050,koper@example.com,paid,2026-05-01 10:00:00 +0200,,fulfilled,,no,EUR,100.90,0.00,8.33,100.90,,0.00,Standard,2026-05-01 09:59:00 +0200,1,Matcha 100 g,62.95,Ann Koper,0.00,555
#1050,koper@example.com,,,,,,,,,,,,,,,,2,Matcha 50 g,18.98,,,
#1051,koper@example.com,paid,2026-05-02 10:00:00 +0200,,fulfilled,,no,EUR,5.00,0.00,0.41,5.00,,0.00,Standard,2026-05-02 09:59:00 +0200,1,Whisk,5.00,Bea Koper,0.00,556
#1052,koper@example.com,refunded,2026-05-03 10:00:00 +0200,2026-05-03 11:00:00 +0200,unfulfilled,,no,EUR,5.00,0.00,0.41,5.00,,0.00,Standard,2026-05-03 09:59:00 +0200,1,Whisk,5.00,Bea Koper,5.00,557
`

const woocommerceSheet = `order_id,order_number,order_date,paid_date,status,shipping_total,shipping_tax_total,fee_total,fee_tax_total,tax_total,cart_discount,order_discount,discount_total,order_total,order_subtotal,order_currency,payment_method,customer_id,customer_user,customer_email,billing_first_name,billing_last_name,billing_email,line_item_1
4993,4993,2026-05-31 00:37:00,2026-05-31 00:38:00,completed,0,0,0,0,4.79,0,0,0,30.00,25.21,EUR,paypal,0,0,,Ann,Koper,ann@example.com,name:Tee|quantity:1|total:25.21
4994,4994,2026-05-31 00:40:00,,failed,0,0,0,0,4.79,0,0,0,30.00,25.21,EUR,paypal,0,0,,Ann,Koper,ann@example.com,name:Tee|quantity:1|total:25.21
`

const quickbooksSheet = `Date,Transaction Type,Num,Posting,Name,Memo/Description,Account,Split,Amount
01/05/2026,Invoice,1001,Yes,Dana Whitfield,Full detail,Accounts Receivable (A/R),Sales,"1,225.00"
01/09/2026,Credit Memo,1002,Yes,Dana Whitfield,,Accounts Receivable (A/R),Sales,-25.00
01/10/2026,Payment,7,Yes,Dana Whitfield,,Undeposited Funds,Accounts Receivable (A/R),"1,200.00"
`

const paypalSheet = `"Date","Time","TimeZone","Name","Type","Status","Currency","Gross","Fee","Net","From Email Address","To Email Address","Transaction ID","Item Title","Reference Txn ID","Invoice Number","Balance","Balance Impact"
"10/13/2026","10:00:00","PDT","Jana Mala","Subscription Payment","Completed","EUR","1,250.00","-43.40","1,206.60","jana@example.com","shop@example.com","1AB23456CD789012E","Pro","I-1","","1,206.60","Credit"
"10/14/2026","10:00:00","PDT","Jana Mala","Payment Refund","Completed","EUR","-50.00","0.00","-50.00","shop@example.com","jana@example.com","2AB23456CD789012E","Pro","I-1","","1,156.60","Debit"
`

const braintreeSheet = `Transaction ID,Subscription ID,Transaction Type,Transaction Status,Escrow Status,Created Datetime,Created Timezone,Settlement Date,Disbursement Date,Merchant Account,Currency ISO Code,Amount Authorized,Amount Submitted For Settlement,Service Fee,Order ID,Customer ID,Customer First Name,Customer Last Name,Customer Email
fbad0mty,9rfst2,sale,settled,,03/14/2026 21:30:05,CDT,03/15/2026,03/16/2026,acme,USD,19.99,19.99,,,8421,Ann,Koper,ann@example.com
fbad0mtz,,sale,settled,,03/15/2026 08:00:00,CDT,03/16/2026,03/17/2026,acme,USD,650.00,650.00,,,8421,Ann,Koper,ann@example.com
fbad0mu0,,credit,settled,,03/16/2026 08:00:00,CDT,03/17/2026,03/18/2026,acme,USD,650.00,650.00,,,8421,Ann,Koper,ann@example.com
`

const exports: readonly Export[] = [
  {
    recipe: 'zuora',
    files: asBothFiles(zuoraSheet),
    options: ['type=recurring', 'interval=month', 'interval_count=1'].flatMap((value) => [
      '--set',
      `invoices:line_items.${value}`,
    ]),
    customers: { 'A-00001': { name: 'Harbour Cafe' } },
    invoices: {
      'INV-00001': {
        total: 11000,
        currency: 'USD',
        created: seconds('2026-01-01'),
        period_start: seconds('2026-01-01'),
        period_end: seconds('2026-02-01'),
        line_items: [
          { id: '8a01', type: 'recurring', interval: 'month', amount: 8000, tax_amount: 800 },
          { id: '8a02', type: 'recurring', interval: 'month', amount: 2000, tax_amount: 200 },
        ],
      },
      'INV-00002': { total: 121050, period_end: seconds('2026-03-01'), line_items: [{ amount: 110050 }] },
      'INV-00003': { total: 2500, period_start: seconds('2026-02-03'), period_end: seconds('2026-02-04') },
    },
  },
  {
    recipe: 'recurly',
    files: asBothFiles(recurlySheet),
    customers: { '123122E': { name: 'JJ Smith' } },
    invoices: {
      1291: {
        total: 14975,
        currency: 'USD',
        created: seconds('2026-02-19T12:01:33Z'),
        period_start: seconds('2026-02-19T12:01:33Z'),
        period_end: seconds('2026-03-19T12:01:33Z'),
        line_items: [
          { id: 'b964', amount: 9975, quantity: 2, period_end: seconds('2026-03-19T12:01:33Z') },
          { id: 'b965', amount: 5000, quantity: 1, period_end: seconds('2026-02-19T12:01:33Z') },
        ],
      },
      1292: { total: -5000, created: seconds('2026-02-20T08:00:00Z') },
    },
  },
  {
    recipe: 'chartmogul',
    files: {
      'customers.csv':
        'Name,Email,Company,Country,External ID,Lead created at\nJJ Smith,jj@example.com,,US,c1,\n',
      'invoices.csv':
        'Customer external ID,Invoice external ID,Invoiced date,Due date,Currency\nc1,i1,2026-01-01 00:00:00,,USD\nc1,i2,2026-01-05 00:00:00,,USD\n',
      'line_items.csv':
        'Invoice external ID,External ID,Subscription external ID,Subscription set external ID,Type,Amount in cents,Plan,Service period start,Service period end,Quantity,Proration,Discount code,Discount amount,Tax amount,Description,Transaction fee,Account Code,Transaction fees currency,Discount description,Balance transfer\ni1,l1,s1,,subscription,5000,Gold,2026-01-01 00:00:00,2026-02-01 00:00:00,2,FALSE,SPRING,500,900,,0,,,,\ni2,l2,,,one_time,700,,2026-01-05 00:00:00,2026-01-05 00:00:00,1,FALSE,,0,0,Setup,0,,,,\n',
    },
    customers: { c1: { name: 'JJ Smith', email: 'jj@example.com' } },
    invoices: {
      i1: {
        total: 5000,
        currency: 'USD',
        created: seconds('2026-01-01'),
        period_start: seconds('2026-01-01'),
        period_end: seconds('2026-02-01'),
        line_items: [{ id: 'l1', amount: 5000, quantity: 2, type: null }],
      },
      i2: { total: 700, line_items: [{ id: 'l2', amount: 700 }] },
    },
  },
  {
    recipe: 'shopify',
    files: asBothFiles(shopifySheet),
    customers: { 'koper@example.com': { email: 'koper@example.com' } },
    invoices: {
      '#1050': {
        total: 10090,
        currency: 'EUR',
        ...at('2026-05-01T09:59+02:00'),
        line_items: [],
      },
      '#1051': { total: 500 },
    },
    skipped: { 'invoice: Cancelled at is not empty': 1 },
  },
  {
    recipe: 'woocommerce',
    files: asBothFiles(woocommerceSheet),
    options: ['--zone', 'Europe/Amsterdam'],
    customers: { 'ann@example.com': { email: 'ann@example.com' } },
    invoices: {
      4993: {
        total: 3000,
        currency: 'EUR',
        ...at('2026-05-31T00:37+02:00'),
      },
    },
    skipped: { 'invoice: status is "failed"': 1 },
  },
  {
    recipe: 'quickbooks',
    files: asBothFiles(quickbooksSheet),
    options: ['--zone', 'America/Chicago', '--set', 'invoices:currency=USD'],
    customers: { 'Dana Whitfield': { name: 'Dana Whitfield' } },
    invoices: {
      1001: {
        total: 122500,
        currency: 'USD',
        ...at('2026-01-05T00:00-06:00'),
      },
      1002: { total: -2500, created: seconds('2026-01-09T00:00-06:00') },
    },
    skipped: { 'invoice: Transaction Type is "Payment"': 1 },
  },
  {
    recipe: 'paypal',
    files: asBothFiles(paypalSheet),
    options: ['--zone', 'America/Los_Angeles'],
    customers: { 'jana@example.com': { name: 'Jana Mala', email: 'jana@example.com' } },
    invoices: {
      '1AB23456CD789012E': {
        total: 125000,
        currency: 'EUR',
        ...at('2026-10-13T00:00-07:00'),
      },
    },
    skipped: { 'customer: Balance Impact is "Debit"': 1, 'invoice: Balance Impact is "Debit"': 1 },
  },
  {
    recipe: 'braintree',
    files: asBothFiles(braintreeSheet),
    options: ['--zone', 'America/Chicago'],
    customers: { 8421: { email: 'ann@example.com' } },
    invoices: {
      fbad0mty: {
        total: 1999,
        currency: 'USD',
        ...at('2026-03-14T21:30:05-05:00'),
      },
      fbad0mtz: { total: 65000 },
    },
    skipped: { 'invoice: Transaction Type is "credit"': 1 },
  },
  {
    recipe: 'xero',
    files: asBothFiles(xeroSheet),
    options: ['--zone', 'Pacific/Auckland'],
    customers: {
      'Harbour Cafe': { name: 'Harbour Cafe', email: 'ap@harbour.example' },
      'Kea, Ltd': { name: 'Kea, Ltd', email: null },
    },
    invoices: {
      'INV-1001': {
        total: 115000,
        currency: 'NZD',
        ...at('2026-06-11T00:00+12:00'),
        line_items: [
          { type: 'one_time', amount: 80000, tax_amount: 12000 },
          { type: 'one_time', amount: 20000, tax_amount: 3000 },
        ],
      },
      'INV-1002': { total: 11500, line_items: [{ amount: 10000, tax_amount: 1500 }] },
    },
    skipped: { 'invoice: Type is "Sales credit note"': 1, 'invoice: Status is "Voided"': 1 },
  },
]

it.each(exports)(
  'the recipe $recipe records the entities, amounts and periods of the export',
  async (row) => {
    const options = ['--recipe', row.recipe, ...(row.options ?? [])]
    const { counts, errors } = await importContents(client, row.files, ...options)
    expect(errors).toEqual([])
    expect(counts.skipped).toEqual(row.skipped ?? {})
    const recorded = async (plural: string, ids: readonly string[], include = '') =>
      Object.fromEntries(
        await Promise.all(ids.map(async (id) => [id, await recordedEntity(client, plural, id, include)])),
      )
    expect(await recorded('customers', Object.keys(row.customers))).toMatchObject(row.customers)
    expect(await recorded('invoices', Object.keys(row.invoices), 'line_items')).toMatchObject(row.invoices)
  },
)

it('every recipe is listed, and tested with its export', () => {
  const names = Object.keys(recipes).sort()
  expect(names).toEqual(
    globSync('tools/transfer/recipes/*.json')
      .map((file) => basename(file, '.json'))
      .sort(),
  )
  expect(names).toEqual([...new Set(exports.map(({ recipe }) => recipe))].sort())
  for (const name of names) expect(termList(recipes)).toMatch(new RegExp(`^  ${name} `, 'm'))
})

it.each([
  [['--recipe'], true],
  [['--recipe', '--dry-run'], true],
  [['--recipe', 'xero', 'invoices.csv'], false],
  [['invoices.csv'], false],
])('the arguments %j ask for the list: %s', (args, isAsked) => {
  expect(asksForRecipes(args)).toBe(isAsked)
})

const ownRecipe = (content: string): string => {
  const file = join(temporaryFolder(), 'own.json')
  writeFileSync(file, content)
  return file
}

const customers = { 'customers.csv': 'Number,Full name,Since\n1,Ann,01.02.2026\n' }
const ownContent = {
  about: 'the customers of our shop',
  map: ['Number=id', 'Full name=name', 'Since=created'],
  dates: 'DD.MM.YYYY',
}

it('reads the recipe of a file, to which the options of the command add', async () => {
  const recipe = ownRecipe(JSON.stringify(ownContent))
  const { shown } = await importContents(client, customers, '--recipe', recipe, '--zone', 'Europe/Berlin')
  expect(shown).toContain('created 01.02.2026 → 2026-01-31T23:00:00Z')
  expect(await recordedEntity(client, 'customers', '1')).toMatchObject({ name: 'Ann' })
})

it('prefers the options of the command to those of a recipe', async () => {
  const recipe = ownRecipe(JSON.stringify({ ...ownContent, set: ['email=a@example.org'] }))
  const options = ['--dates', 'MM.DD.YYYY', '--map', 'Full name=description', '--set', 'email=b@example.org']
  const { shown } = await importContents(client, customers, ...options, '--recipe', recipe)
  expect(shown).toContain('created 01.02.2026 → 2026-01-02')
  expect(await recordedEntity(client, 'customers', '1')).toMatchObject({ name: null, email: 'b@example.org' })
})

it.each([
  ['Type', 'the column of any file'],
  ['invoices:Type', 'the column of one file'],
])('replaces the conditions of a recipe by --only %s, for %s', async (column) => {
  const only = ['Sales invoice', 'Sales credit note'].flatMap((text) => ['--only', `${column}=${text}`])
  const { counts } = await importContents(client, asBothFiles(xeroSheet), '--recipe', 'xero', ...only)
  expect(counts).toMatchObject({ rows: 5, created: 5, skipped: { 'invoice: Status is "Voided"': 1 } })
})

it('says which export a recipe reads if a file is another one', async () => {
  const report = 'Date,Order #,Status,Customer\n2026-05-31 00:37:00,4993,completed,Ann Koper\n'
  await expectStop(
    asBothFiles(report),
    ['--recipe', 'woocommerce'],
    /^line 1 of ".*customers.csv" must be the header, but no option names one of its columns \("Date", "Order #", "Status", "Customer"\); --recipe woocommerce reads WooCommerce: the CSV export of orders of the plugin Order Export & Order Import \(WebToffee\), as invoices….csv and a copy as customers….csv$/,
  )
})

const exampleOf = (option: object) => JSON.stringify({ about: 'a', ...option })

it.each([
  ['no JSON', '{', /JSON/],
  ['a list', '[]', 'a recipe must be an object such as {"about": "…", "map": ["Customer ID=id"]}'],
  ['no description', '{"decimal": "."}', '"about" must be a text that describes the export'],
  ['an unknown option', exampleOf({ decimals: '.' }), 'unknown option --decimals; did you mean --decimal?'],
  ['an option of no recipe', exampleOf({ update: true }), /unknown option --update/],
  [
    'a number',
    exampleOf({ decimal: 1 }),
    '"decimal" must be a text, or true for an option without a value (got 1)',
  ],
  ['several values of one', exampleOf({ dates: ['YYYY'] }), /"dates" must be a text, .*\(got \["YYYY"\]\)/],
  ['a number in a list', exampleOf({ map: ['a=id', 1] }), '"map" must be a list of texts (got 1)'],
  ['a flag with a text', exampleOf({ 'one-off': 'yes' }), /'--one-off' does not take an argument/],
  ['no value', exampleOf({ decimal: true }), '--decimal has no value'],
  ['a wrong value', exampleOf({ decimal: ';' }), '--decimal must be "," or "." (got ";")'],
  ['a wrong condition', exampleOf({ only: ['paid'] }), /--only must be a column and the text of its cells/],
  ['a wrong column', exampleOf({ map: ['id'] }), /--map must be a column and a field, .*\(got "id"\)/],
])('refuses the recipe of a file with %s, and names the file', (_, content, message) => {
  const recipe = ownRecipe(content)
  const refused = () => recipeArguments({ recipe, map: [], set: [], only: [] })
  expect(refused).toThrow(`--recipe ${recipe}: `)
  expect(refused).toThrow(message)
})

it.each([
  [
    'xeero',
    /^--recipe xeero: no such recipe; did you mean xero\?; there are braintree, .*xero, zuora, and a file/,
  ],
  ['sap', /^--recipe sap: no such recipe; there are /],
  ['./none.json', /^--recipe \.\/none\.json: ENOENT/],
])('refuses the unknown recipe %s', (recipe, message) => expectStop(customers, ['--recipe', recipe], message))
