import { CommandError } from '../../../tools/cli/command.ts'
import { type Client, newClient, serveForTests } from '../../support/requests/service.ts'
import {
  type Contents,
  importContents,
  importFiles,
  recordedEntity,
  reportedOutcomes,
  writeFiles,
} from '../importing.ts'
import {
  coupon,
  customer,
  invoice,
  line,
  newerVersion,
  olderVersion,
  page,
  price,
  product,
  versions,
} from './stripe-objects.ts'

serveForTests()

let client: Client
beforeEach(async () => {
  client = await newClient()
})

const importStripe = (contents: Contents, ...options: string[]) =>
  importContents(client, contents, '--from', 'stripe', ...options)

it.each(versions)('records lists and single objects of version %s, in any order', async (version) => {
  const deletedCustomer = { id: 'cus_gone', object: 'customer', deleted: true }
  const singleObjects = [product(), coupon(), customer(), deletedCustomer]
  const contents = {
    'invoices.json': page([invoice(version), invoice(version, { id: 'in_2', status: 'void' })]),
    'rest.ndjson': singleObjects.map((object) => JSON.stringify(object)).join('\n'),
    'prices.json': JSON.stringify([price()]) + page([price({ id: 'price_2', unit_amount: null })]),
  }
  const files = writeFiles(contents)
  const { counts, shown } = await importFiles(client, files, '--from', 'stripe')
  expect(counts).toMatchObject({ rows: 7, created: 6, invalid: 1, skipped: { 'invoice: void': 1 } })
  expect(reportedOutcomes(files.report)).toMatchObject({
    'invoice in_1': 'created',
    'price price_2': 'invalid',
  })
  expect(shown).toContain('1 unusable: The amount is null or')
  expect(shown).toContain('1 skipped: invoice: void\nRecorded 6 of 7 rows')
  const april = Date.UTC(2024, 3) / 1000
  const may = Date.UTC(2024, 4) / 1000
  const include = 'line_items,price,customer,subscription,discounts,external_id'
  expect(await recordedEntity(client, 'invoices', 'in_1', include)).toMatchObject({
    total: 2035,
    currency: 'EUR',
    created: april,
    line_items: [
      {
        id: 'il_1',
        amount: 1900,
        currency: 'EUR',
        quantity: 1,
        discount_amount: 190,
        tax_amount: 325,
        period_start: april,
        period_end: may,
        interval: 'month',
        interval_count: 1,
        type: 'recurring',
        price: { external_id: 'price_pro', product: { external_id: 'prod_pro' } },
      },
    ],
    customer: { external_id: 'cus_ann', metadata: { plan: 'pro' } },
    subscription: { external_id: 'sub_ann', interval: 'month' },
    discounts: [{ external_id: 'SPRING', percent_off: 10, currency: 'XXX', name: 'SPRING' }],
  })
  expect(await recordedEntity(client, 'customers', 'cus_gone')).toMatchObject({ name: 'Anonymous customer' })
  expect((await importStripe(contents)).counts).toMatchObject({ created: 0, unchanged: 6 })
})

it('records a customer and coupons that occur only in an invoice, and leaves out fractional percentages', async () => {
  const coupons = [coupon({ id: 'GONE', percent_off: 25 }), coupon({ id: 'PART', percent_off: 12.5 })]
  const embedded = {
    discounts: coupons.map((used) => ({ id: `di_${used.id}`, object: 'discount', coupon: used })),
    customer: { id: 'cus_gone', deleted: true },
  }
  const otherSubscription = { parent: { subscription_details: { subscription: 'sub_b' } } }
  const contents = {
    'invoices.json': page([
      invoice(newerVersion, { id: 'in_1', ...embedded }),
      invoice(newerVersion, { id: 'in_2', ...embedded }),
      invoice(newerVersion, { id: 'in_3', ...otherSubscription }),
    ]),
    'rest.json': JSON.stringify([price(), product(), customer(), coupon({ percent_off: 12.5 })]),
  }
  const { counts, shown } = await importStripe(contents)
  const left_out = { 'invoice: a discount with a fractional percentage': 3 }
  expect(counts).toMatchObject({ rows: 9, created: 8, invalid: 1, left_out })
  expect(shown).toContain('3 left out: invoice: a discount with a fractional percentage\n')
  const include = 'customer,discounts,external_id'
  expect(await recordedEntity(client, 'invoices', 'in_2', include)).toMatchObject({
    customer: { external_id: 'cus_gone', name: 'Anonymous customer' },
    discounts: [{ external_id: 'GONE', percent_off: 25 }],
  })
  expect(await recordedEntity(client, 'invoices', 'in_3', 'discounts')).toMatchObject({ discounts: [] })
  expect((await importStripe(contents, '--dry-run')).counts).toMatchObject({
    rows: 9,
    unchanged: 7,
    unknown: 1,
  })
})

describe('the prices of an invoice', () => {
  const setupFee = line(olderVersion, {
    id: 'il_2',
    proration: true,
    price: price({ id: 'price_setup' }),
  })
  const lines = [line(olderVersion), setupFee]
  const setupPrice = price({ id: 'price_setup' })
  const unusablePrice = price({ unit_amount: null })

  /** Imports the invoice with these prices. Returns the counts. */
  const importPrices = async (prices: readonly object[], ...options: string[]) => {
    const objects = [product(), coupon(), customer(), ...prices, invoice(olderVersion, { lines })]
    return (await importStripe({ 'all.json': page(objects) }, ...options)).counts
  }

  it('are left out if they are refused, and not added later', async () => {
    const withoutPrice = { created: 4, unchanged: 0, invalid: 1, conflict: 0 }
    expect(await importPrices([unusablePrice], '--dry-run')).toMatchObject(withoutPrice)
    expect(await importPrices([unusablePrice])).toMatchObject(withoutPrice)
    const withPrices = { created: 2, unchanged: 4, conflict: 0 }
    expect(await importPrices([price(), setupPrice], '--dry-run')).toMatchObject(withPrices)
    expect(await importPrices([price(), setupPrice])).toMatchObject(withPrices)
    const recorded = await recordedEntity(client, 'invoices', 'in_1', 'line_items,price')
    expect(recorded).toMatchObject({ line_items: [{ price: null }, { price: null }] })
  })

  it('stay as they were recorded, whichever prices a later import contains', async () => {
    expect(await importPrices([price()])).toMatchObject({ created: 5, invalid: 0, conflict: 0 })
    const more = await importPrices([price(), setupPrice])
    expect(more).toMatchObject({ created: 1, unchanged: 5, invalid: 0, conflict: 0 })
    const fewer = await importPrices([setupPrice])
    expect(fewer).toMatchObject({ created: 0, unchanged: 5, invalid: 0, conflict: 0 })
    const changedInvoice = page([invoice(olderVersion, { total: 1, lines })])
    expect((await importStripe({ 'changed.json': changedInvoice })).counts).toMatchObject({ conflict: 1 })
  })

  it('are in conflict if a later import has another price for a line', async () => {
    await importPrices([price(), setupPrice])
    const otherLines = [line(olderVersion, { price: setupPrice }), setupFee]
    const changed = page([setupPrice, invoice(olderVersion, { lines: otherLines })])
    expect((await importStripe({ 'changed.json': changed })).counts).toMatchObject({
      conflict: 1,
    })
  })

  it('include prices that an earlier run with the same report has recorded', async () => {
    const objects = [product(), price(), coupon(), invoice(newerVersion)]
    const files = writeFiles({ 'all.json': page(objects) })
    const first = await importFiles(client, files, '--from', 'stripe')
    expect(first.counts).toMatchObject({ created: 3, invalid: 1 })
    await client.create('/api/customers', { id: 'cus_ann' })
    const second = await importFiles(client, files, '--from', 'stripe')
    expect(second.counts).toMatchObject({ resumed: 3, created: 1 })
    const recorded = await recordedEntity(client, 'invoices', 'in_1', 'line_items,price,external_id')
    expect(recorded).toMatchObject({ line_items: [{ price: { external_id: 'price_pro' } }] })
  })
})

it.each([
  { pages: 'its last page comes last', hasMore: [true, false], missing: 0 },
  { pages: 'its last page comes first', hasMore: [false, true], missing: 0 },
  { pages: 'its last page is missing', hasMore: [true, true], missing: 1 },
  { pages: 'its only page is not the last', hasMore: [true], missing: 1 },
])(
  'refuses a list without its last page, unless the user accepts it: $pages',
  async ({ hasMore, missing }) => {
    const contents = hasMore.map((has_more, index) => {
      const list = { object: 'list', url: '/v1/products', has_more, data: [product({ id: `p${index}` })] }
      return [`${index}.json`, JSON.stringify(list)]
    })
    const files: Contents = Object.fromEntries(contents)
    const refused = await importStripe(files)
    expect(refused.counts).toMatchObject({ created: hasMore.length, invalid: missing, skipped: {} })
    const { counts } = await importStripe(files, '--allow-missing-pages')
    expect(counts).toMatchObject({ unchanged: hasMore.length, invalid: 0 })
    expect(Object.values(counts.skipped)).toEqual(missing ? [1] : [])
  },
)

it('records a price once, even if older versions list it as a plan too', async () => {
  const plan = {
    ...price(),
    object: 'plan',
    nickname: null,
    amount: 1900,
    interval: 'month',
    interval_count: 1,
  }
  const { counts } = await importStripe({ 'all.json': page([plan, product(), price()]) })
  expect(counts).toMatchObject({ created: 2, skipped: { 'plan: also listed as a price': 1 } })
})

it('leaves out metadata that exceeds the limit with --cut-metadata, and counts them', async () => {
  const metadata = Object.fromEntries(Array.from({ length: 40 }, (_, key) => [key, 'x'.repeat(500)]))
  const contents = { 'a.json': JSON.stringify([customer({ metadata }), customer({ id: 'b' })]) }
  expect((await importStripe(contents)).counts).toMatchObject({ created: 1, invalid: 1, left_out: {} })
  const { counts } = await importStripe(contents, '--cut-metadata')
  const left_out = { 'customer: its metadata, which exceeds the limit': 1 }
  expect(counts).toMatchObject({ created: 1, unchanged: 1, left_out })
  expect(await recordedEntity(client, 'customers', 'cus_ann')).toMatchObject({
    name: 'Ann Example',
    metadata: {},
  })
})

it.each([
  ['[{"id": "a"}, {"id": "b"', 'it ends in the middle of an object'],
  ['[{"id": "a"}, {"id": "b"},\n', 'it ends in the middle of a list'],
  ['id,name', 'it must contain JSON objects'],
  ['{"id": "b"}]', 'it must contain JSON objects'],
  ['{"object": "list", "data": [null]}', 'a list must contain only objects'],
])('refuses a file that contains %s, and names the file', async (content, reason) => {
  const error = await importStripe({ 'objects.json': content }).catch((thrown: Error) => thrown)
  expect(error).toBeInstanceOf(CommandError)
  expect(error).toMatchObject({ message: expect.stringMatching(`^cannot read ".*objects.json": ${reason}$`) })
})
