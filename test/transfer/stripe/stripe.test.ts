import { CommandError } from '../../../tools/cli/command.ts'
import { type Client, newClient, serveForTests } from '../../support/requests/service.ts'
import { filesOf, importAs, outcomesIn } from '../importing.ts'
import { coupon, customer, invoice, line, page, price, product, versions } from './stripe-objects.ts'

serveForTests()

let client: Client
beforeEach(async () => {
  client = await newClient()
})

/** Writes Stripe objects to files, and returns a function that imports them with the given options. */
const importerOf = (contents: Readonly<Record<string, string>>) => {
  const { paths, report } = filesOf(contents)
  const run = (...more: string[]) => importAs(client, [...paths, '--from', 'stripe', ...more])
  return Object.assign(run, { report })
}

const invoiceOf = async (id: string, include: string) =>
  (await client.get(`/api/invoices/${id}?include=${include}`)).json.data.invoice

it.each(versions)('records lists and single objects of version %s, in any order', async (version) => {
  const gone = { id: 'cus_gone', object: 'customer', deleted: true }
  const importing = importerOf({
    'invoices.json': page([invoice(version), invoice(version, { id: 'in_2', status: 'void' })]),
    'rest.ndjson': [product(), coupon(), customer(), gone].map((each) => JSON.stringify(each)).join('\n'),
    'prices.json': JSON.stringify([price()]) + page([price({ id: 'price_2', unit_amount: null })]),
  })
  const { counts, shown } = await importing('--report', importing.report)
  expect(counts).toMatchObject({ rows: 7, created: 6, invalid: 1, skipped: { 'invoice: void': 1 } })
  expect(outcomesIn(importing.report)).toMatchObject({
    'invoice in_1': 'created',
    'price price_2': 'invalid',
  })
  expect(shown).toContain('1 unusable: The amount is null or')
  expect(shown).toContain('1 skipped: invoice: void\nRows not recorded')
  const [april, may] = [Date.UTC(2024, 3) / 1000, Date.UTC(2024, 4) / 1000]
  expect(
    await invoiceOf('in_1', 'line_items,price,customer,subscription,discounts,external_id'),
  ).toMatchObject({
    ...{ total: 2035, currency: 'EUR', created: april },
    line_items: [
      {
        ...{ id: 'il_1', amount: 1900, currency: 'EUR', quantity: 1, discount_amount: 190, tax_amount: 325 },
        ...{ period_start: april, period_end: may, interval: 'month', interval_count: 1, type: 'recurring' },
        price: { external_id: 'price_pro', product: { external_id: 'prod_pro' } },
      },
    ],
    customer: { external_id: 'cus_ann', metadata: { plan: 'pro' } },
    subscription: { external_id: 'sub_ann', interval: 'month' },
    discounts: [{ external_id: 'SPRING', percent_off: 10, currency: 'XXX', name: 'SPRING' }],
  })
  expect((await client.get('/api/customers/cus_gone')).json.data.customer.name).toBe('Anonymous customer')
  expect((await importing()).counts).toMatchObject({ created: 0, unchanged: 6 })
})

it('records a customer and coupons that occur only in an invoice, and omits discounts of a fraction of a percent', async () => {
  const [, version] = versions
  const discounts = [coupon({ id: 'GONE', percent_off: 25 }), coupon({ id: 'PART', percent_off: 12.5 })].map(
    (each) => ({ id: `di_${each.id}`, object: 'discount', coupon: each }),
  )
  const ofNobody = { discounts, customer: { id: 'cus_gone', deleted: true } }
  const importing = importerOf({
    'invoices.json': page([
      invoice(version, { id: 'in_1', ...ofNobody }),
      invoice(version, { id: 'in_2', ...ofNobody }),
      invoice(version, { id: 'in_3', parent: { subscription_details: { subscription: 'sub_b' } } }),
    ]),
    'rest.json': JSON.stringify([price(), product(), customer(), coupon({ percent_off: 12.5 })]),
  })
  const { counts, shown } = await importing()
  const left_out = { 'invoice: a discount of a fraction of a percent': 3 }
  expect(counts).toMatchObject({ rows: 9, created: 8, invalid: 1, left_out })
  expect(shown).toContain('3 left out: invoice: a discount of a fraction of a percent\n')
  expect(await invoiceOf('in_2', 'customer,discounts,external_id')).toMatchObject({
    customer: { external_id: 'cus_gone', name: 'Anonymous customer' },
    discounts: [{ external_id: 'GONE', percent_off: 25 }],
  })
  expect(await invoiceOf('in_3', 'discounts')).toMatchObject({ discounts: [] })
  expect((await importing('--dry-run')).counts).toMatchObject({ rows: 9, unchanged: 7, unknown: 1 })
})

it('refers to the prices that were recorded, and does not change an invoice that was recorded with other prices', async () => {
  const [old] = versions
  const setup = line(old, { id: 'il_2', proration: true, price: price({ id: 'price_setup' }) })
  const lines = [line(old), setup]
  const [unusable, pro, later] = [price({ unit_amount: null }), price(), price({ id: 'price_setup' })]
  const expectCounts = async (prices: object[], expected: object, ...options: string[]) => {
    const objects = [product(), coupon(), customer(), ...prices, invoice(old, { lines })]
    const { counts } = await importerOf({ 'all.json': page(objects) })(...options)
    expect(counts).toMatchObject({ conflict: 0, ...expected })
  }
  for (const options of [['--dry-run'], []])
    await expectCounts([unusable], { created: 4, unchanged: 0, invalid: 1 }, ...options)
  for (const options of [['--dry-run'], []])
    await expectCounts([pro, later], { created: 2, unchanged: 4 }, ...options)
  const { line_items } = await invoiceOf('in_1', 'line_items,price')
  expect(line_items).toMatchObject([{ price: null }, { price: null }])
  client = await newClient()
  await expectCounts([pro], { created: 5, invalid: 0 })
  await expectCounts([pro, later], { created: 1, unchanged: 5, invalid: 0 })
  await expectCounts([later], { created: 0, unchanged: 5, invalid: 0 })
  const changed = importerOf({ 'changed.json': page([invoice(old, { total: 1, lines })]) })
  expect((await changed()).counts).toMatchObject({ conflict: 1 })
})

it.each([
  ['it is followed by its last page', [true, false], 0],
  ['its last page comes first', [false, true], 0],
  ['its last page is missing', [true, true], 1],
  ['it has one page, which is not the last', [true], 1],
])('refuses a list without its last page unless told: %s, %j', async (_, pages, missing) => {
  const contents = pages.map((has_more, index) => {
    const list = { object: 'list', url: '/v1/products', has_more, data: [product({ id: `p${index}` })] }
    return [`${index}.json`, JSON.stringify(list)]
  })
  const importing = importerOf(Object.fromEntries(contents))
  expect((await importing()).counts).toMatchObject({ created: pages.length, invalid: missing, skipped: {} })
  const { counts } = await importing('--allow-missing-pages')
  expect(counts).toMatchObject({ unchanged: pages.length, invalid: 0 })
  expect(Object.values(counts.skipped)).toEqual(missing ? [1] : [])
})

it('refers to prices that an earlier run of the same report has recorded', async () => {
  const [, version] = versions
  const importing = importerOf({ 'all.json': page([product(), price(), coupon(), invoice(version)]) })
  const report = ['--report', importing.report]
  expect((await importing(...report)).counts).toMatchObject({ created: 3, invalid: 1 })
  await client.create('/api/customers', { id: 'cus_ann' })
  expect((await importing(...report)).counts).toMatchObject({ resumed: 3, created: 1 })
  const { line_items } = await invoiceOf('in_1', 'line_items,price,external_id')
  expect(line_items).toMatchObject([{ price: { external_id: 'price_pro' } }])
})

it('records a price once, even if older versions list it as a plan too', async () => {
  const plan = {
    ...price(),
    object: 'plan',
    nickname: null,
    amount: 1900,
    interval: 'month',
    interval_count: 1,
  }
  const { counts } = await importerOf({ 'all.json': page([plan, product(), price()]) })()
  expect(counts).toMatchObject({ created: 2, skipped: { 'plan: also listed as a price': 1 } })
})

it('omits metadata over the limit with --cut-metadata, and counts them', async () => {
  const metadata = Object.fromEntries(Array.from({ length: 40 }, (_, key) => [key, 'x'.repeat(500)]))
  const importing = importerOf({ 'a.json': JSON.stringify([customer({ metadata }), customer({ id: 'b' })]) })
  expect((await importing()).counts).toMatchObject({ created: 1, invalid: 1, left_out: {} })
  const left_out = { 'customer: its metadata, which is over the limit': 1 }
  const { counts } = await importing('--cut-metadata')
  expect(counts).toMatchObject({ created: 1, unchanged: 1, left_out })
  const { customer: cut } = (await client.get('/api/customers/cus_ann')).json.data
  expect(cut).toMatchObject({ name: 'Ann Example', metadata: {} })
})

it.each([
  ['[{"id": "a"}, {"id": "b"', 'it ends in the middle of an object'],
  ['[{"id": "a"}, {"id": "b"},\n', 'it ends in the middle of a list'],
  ['id,name', 'it must contain JSON objects'],
  ['{"id": "b"}]', 'it must contain JSON objects'],
  ['{"object": "list", "data": [null]}', 'a list must contain objects only'],
])('refuses a file with %s by its name', async (content, reason) => {
  const error = await importerOf({ 'objects.json': content })().catch((thrown: Error) => thrown)
  expect(error).toBeInstanceOf(CommandError)
  expect(error).toMatchObject({ message: expect.stringMatching(`^cannot read ".*objects.json": ${reason}$`) })
})
