import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pastedBlocks } from '../../support/documents/shell-portability.ts'
import { runToEnd } from '../../support/processes/local-process.ts'
import { temporaryFolder } from '../../support/processes/temporary-folder.ts'
import { range } from '../../support/range.ts'
import { newClient, serveForTests } from '../../support/requests/service.ts'
import { importAs, recordedEntity } from '../importing.ts'
import { coupon, customer, invoice, line, newerVersion, price, product } from './stripe-objects.ts'

serveForTests()

type Fields = Readonly<Record<string, unknown>>

const manyLines = range(230).map((number) =>
  line(newerVersion, { id: `il_${number}`, proration: number > 0 }),
)
const yearly = { interval: 'year', interval_count: 1 }
const inlinePrice = price({ id: 'price_inline', active: false, recurring: yearly })
const archivedPrice = price({ id: 'price_old', active: false })
const lineOf = (priceId: string, fields: Fields = {}) =>
  line(newerVersion, { pricing: { price_details: { price: priceId } }, ...fields })
const deletedCoupon = coupon({ id: 'GONE' })

/** What is special about the first invoices, by their number. */
const specialInvoices: readonly Fields[] = [
  { lines: manyLines },
  { customer: 'cus_gone' },
  { discounts: [{ id: 'di_gone', object: 'discount', source: { coupon: 'GONE' } }] },
  { lines: [lineOf('price_inline'), lineOf('price_old', { id: 'il_old' })] },
]

/** The invoices of an invented Stripe account, more than a page. */
const invoices = range(101).map((number) =>
  invoice(newerVersion, {
    id: `in_${number}`,
    parent: { subscription_details: { subscription: `sub_${number}` } },
    ...specialInvoices[number],
  }),
)
const subscriptions = [{ id: 'sub_3', object: 'subscription', items: { data: [{ price: inlinePrice }] } }]
const creditNotes = [
  {
    id: 'cn_1',
    object: 'credit_note',
    status: 'issued',
    invoice: 'in_4',
    currency: 'eur',
    total: 5,
    created: 1,
  },
]

/** Stripe's lists. By default, they contain no deleted customer or coupon, no archived or inline price, no ended subscription. */
const lists: Readonly<Record<string, (query: URLSearchParams) => readonly Fields[]>> = {
  products: () => [product()],
  prices: (query) => (query.get('active') === 'false' ? [archivedPrice] : [price()]),
  customers: () => [customer()],
  coupons: () => [coupon()],
  subscriptions: (query) => (query.get('status') === 'all' ? subscriptions : []),
  invoices: () => invoices,
  credit_notes: () => creditNotes,
  'invoices/in_0/lines': () => manyLines,
}

interface StripeDiscount {
  readonly id: string
  readonly source: { readonly coupon: string }
}

/** Returns a discount as Stripe shows it: an id, or an object with the id of its coupon, where the query does not expand them. */
const shownDiscount = (discount: StripeDiscount, expanded: readonly string[]): unknown => {
  if (!expanded.some((path) => path.startsWith('data.discounts'))) return discount.id
  if (!expanded.includes('data.discounts.source.coupon')) return discount
  const expandedCoupon = discount.source.coupon === 'GONE' ? deletedCoupon : coupon()
  return { ...discount, source: { type: 'coupon', coupon: expandedCoupon } }
}

/** Returns an invoice as Stripe shows it: with at most ten lines, and with ids where the query does not expand objects. */
const shownInvoice = (found: Fields, expanded: readonly string[]): Fields => {
  const { data } = found.lines as { readonly data: readonly object[] }
  const deletedCustomer = { id: 'cus_gone', object: 'customer', deleted: true }
  const expandedCustomer = found.customer === 'cus_gone' ? deletedCustomer : customer()
  return {
    ...found,
    customer: expanded.includes('data.customer') ? expandedCustomer : found.customer,
    discounts: (found.discounts as StripeDiscount[]).map((discount) => shownDiscount(discount, expanded)),
    lines: { data: data.slice(0, 10), has_more: data.length > 10 },
  }
}

const requestedUrls: string[] = []
/** What happens to requests instead of a response, by their number from 1. */
let faults: Readonly<Record<number, (response: ServerResponse) => void>> = {}

const PAGE = 100
const stripe = createServer(({ url = '', headers }, response) => {
  const { pathname, searchParams } = new URL(url, 'http://stripe')
  const name = pathname.replace('/v1/', '')
  const reply = (status: number, body: object) => response.writeHead(status).end(JSON.stringify(body))
  requestedUrls.push(url)
  const fault = faults[requestedUrls.length]
  if (fault) return fault(response)
  if (headers.authorization !== 'Bearer rk_test') return reply(401, { error: { message: 'Invalid API Key' } })
  const all = lists[name]!(searchParams)
  const start = all.findIndex(({ id }) => id === searchParams.get('starting_after')) + 1
  const page = all.slice(start, start + PAGE)
  const expanded = searchParams.getAll('expand[]')
  const data = name === 'invoices' ? page.map((found) => shownInvoice(found, expanded)) : page
  return reply(200, { object: 'list', url: pathname, data, has_more: start + PAGE < all.length })
})

let STRIPE_URL: string
beforeAll(async () => {
  await new Promise<void>((resolve) => stripe.listen(0, '127.0.0.1', resolve))
  STRIPE_URL = `http://127.0.0.1:${(stripe.address() as AddressInfo).port}`
})
afterAll(() => stripe.close())

const fail = (status: number) => (response: ServerResponse) => response.writeHead(status).end('{"error": {}}')

describe('the program of the guide that reads a Stripe account', () => {
  const [code = ''] = pastedBlocks(readFileSync('docs/data.md', 'utf8').split('### From Stripe')[1]!, ['js'])
  const folder = temporaryFolder()
  const program = join(folder, 'fetch-stripe.mjs')
  beforeAll(() => writeFileSync(program, code))
  beforeEach(() => {
    requestedUrls.length = 0
    faults = {}
  })
  const runWith = (STRIPE_KEY: string, file: string) =>
    runToEnd(process.execPath, [program, file], { STRIPE_URL, STRIPE_KEY })

  it('writes all that an import needs, also what Stripe does not list, and waits when Stripe is busy', async () => {
    const file = join(folder, 'all.ndjson')
    faults = { 2: fail(429), 4: fail(503), 6: (response) => response.destroy() }
    expect(await runWith('rk_test', file)).toMatchObject({ code: 0 })
    const client = await newClient()
    const { counts, shown } = await importAs(client, [file, '--from', 'stripe'])
    // A product, two prices, two customers, two coupons, 101 invoices and a credit note.
    expect(counts).toMatchObject({ rows: 109, created: 109, invalid: 0 })
    expect(shown).toContain('Recorded 109 of 109 rows (109 created)')
    const recordedInvoice = (id: string) =>
      recordedEntity(client, 'invoices', id, 'line_items,price,customer,discounts,external_id')
    const { line_items } = await recordedInvoice('in_0')
    expect((line_items as Fields[]).map(({ id }) => id)).toEqual(manyLines.map(({ id }) => id))
    expect(await recordedInvoice('in_1')).toMatchObject({ customer: { name: 'Anonymous customer' } })
    expect(await recordedInvoice('in_2')).toMatchObject({ discounts: [{ external_id: 'GONE' }] })
    expect(await recordedInvoice('in_3')).toMatchObject({
      line_items: [
        { interval: 'year', price: null },
        { interval: 'month', price: { external_id: 'price_old' } },
      ],
    })
  })

  it('continues where it stopped, even within a line', async () => {
    const file = join(folder, 'parts.ndjson')
    // The eighth request is for the lines of the first invoice, so the page with the invoice is not written.
    faults = { 8: fail(400) }
    expect(await runWith('rk_test', file)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/invoices\/in_0\/lines.*: 400/),
    })
    truncateSync(file, readFileSync(file).length - 20)
    faults = {}
    requestedUrls.length = 0
    expect(await runWith('rk_test', file)).toMatchObject({ code: 0 })
    expect(requestedUrls[0]).toContain('/v1/subscriptions?')
    const uninterrupted = join(folder, 'whole.ndjson')
    await runWith('rk_test', uninterrupted)
    expect(readFileSync(file, 'utf8')).toBe(readFileSync(uninterrupted, 'utf8'))
  })

  it('requests nothing if its file lacks only the last line feed', async () => {
    const file = join(folder, 'complete.ndjson')
    await runWith('rk_test', file)
    const complete = readFileSync(file, 'utf8')
    truncateSync(file, readFileSync(file).length - 1)
    requestedUrls.length = 0
    expect(await runWith('rk_test', file)).toMatchObject({ code: 0 })
    expect(requestedUrls).toEqual([])
    expect(readFileSync(file, 'utf8')).toBe(complete)
  })

  it('prints the response if Stripe refuses a request', async () => {
    expect(await runWith('sk_wrong', join(folder, 'none.ndjson'))).toMatchObject({
      code: 1,
      err: expect.stringMatching(/products\?limit=100: 401 .*Invalid API Key/),
    })
  })
})
