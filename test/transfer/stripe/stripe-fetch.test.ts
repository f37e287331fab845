import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pastedBlocks } from '../../support/documents/shell-portability.ts'
import { runToEnd } from '../../support/processes/local-process.ts'
import { temporaryFolder } from '../../support/processes/temporary-folder.ts'
import { range } from '../../support/range.ts'
import { newClient, serveForTests } from '../../support/requests/service.ts'
import { importAs } from '../importing.ts'
import { coupon, customer, invoice, line, price, product, versions } from './stripe-objects.ts'

serveForTests()

type Fields = Readonly<Record<string, unknown>>

const version = versions[1]
const lines = range(230).map((number) => line(version, { id: `il_${number}`, proration: number > 0 }))
const inlinePrice = price({
  id: 'price_inline',
  active: false,
  recurring: { interval: 'year', interval_count: 1 },
})
const archivedPrice = price({ id: 'price_old', active: false })
const priced = (id: string, fields: Fields = {}) =>
  line(version, { pricing: { price_details: { price: id } }, ...fields })
const goneCoupon = coupon({ id: 'GONE' })

/** The invoices of an invented Stripe account, more than a page: of a deleted customer, with a deleted coupon, and inline prices. */
const invoices = range(101).map((number) =>
  invoice(version, {
    id: `in_${number}`,
    parent: { subscription_details: { subscription: `sub_${number}` } },
    ...(number === 0 ? { lines } : {}),
    ...(number === 1 ? { customer: 'cus_gone' } : {}),
    ...(number === 2
      ? { discounts: [{ id: 'di_gone', object: 'discount', source: { coupon: 'GONE' } }] }
      : {}),
    ...(number === 3 ? { lines: [priced('price_inline'), priced('price_old', { id: 'il_old' })] } : {}),
  }),
)
const subscriptions = [{ id: 'sub_3', object: 'subscription', items: { data: [{ price: inlinePrice }] } }]
const notes = [
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

/** What Stripe lists by default: no deleted customer or coupon, no archived or inline price, no ended subscription. */
const lists: Readonly<Record<string, (query: URLSearchParams) => readonly Fields[]>> = {
  products: () => [product()],
  prices: (query) => (query.get('active') === 'false' ? [archivedPrice] : [price()]),
  customers: () => [customer()],
  coupons: () => [coupon()],
  subscriptions: (query) => (query.get('status') === 'all' ? subscriptions : []),
  invoices: () => invoices,
  credit_notes: () => notes,
  'invoices/in_0/lines': () => lines,
}

/** Returns an invoice as Stripe shows it: ids, where the query does not expand them. */
const shownInvoice = (found: Fields, expanded: readonly string[]): Fields => {
  const { data } = found.lines as { readonly data: readonly object[] }
  const isGone = found.customer === 'cus_gone'
  const deleted = { id: 'cus_gone', object: 'customer', deleted: true }
  const person = isGone ? deleted : customer()
  const discounts = (found.discounts as { id: string; source: { coupon: string } }[]).map((discount) => {
    if (!expanded.some((path) => path.startsWith('data.discounts'))) return discount.id
    if (!expanded.includes('data.discounts.source.coupon')) return discount
    const { coupon: id } = discount.source
    return { ...discount, source: { type: 'coupon', coupon: id === 'GONE' ? goneCoupon : coupon() } }
  })
  return {
    ...found,
    customer: expanded.includes('data.customer') ? person : found.customer,
    discounts,
    lines: { data: data.slice(0, 10), has_more: data.length > 10 },
  }
}

const asked: string[] = []
/** What happens to requests, by their number from 1, in place of a response. */
let faults: Readonly<Record<number, (response: ServerResponse) => void>> = {}
const stripe = createServer(({ url = '', headers }, response) => {
  const { pathname, searchParams } = new URL(url, 'http://stripe')
  const name = pathname.replace('/v1/', '')
  const reply = (status: number, body: object) => response.writeHead(status).end(JSON.stringify(body))
  asked.push(url)
  const fault = faults[asked.length]
  if (fault) return fault(response)
  if (headers.authorization !== 'Bearer rk_test') return reply(401, { error: { message: 'Invalid API Key' } })
  const all = lists[name]!(searchParams)
  const from = all.findIndex(({ id }) => id === searchParams.get('starting_after')) + 1
  const page = all.slice(from, from + 100)
  const expanded = searchParams.getAll('expand[]')
  const data = name === 'invoices' ? page.map((each) => shownInvoice(each, expanded)) : page
  return reply(200, { object: 'list', url: pathname, data, has_more: from + 100 < all.length })
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
    asked.length = 0
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
    expect(shown).toMatch(/Rows recorded: all 109 \(109 created\)/)
    const found = async (id: string) =>
      (await client.get(`/api/invoices/${id}?include=line_items,price,customer,discounts,external_id`)).json
        .data.invoice
    const { line_items: all } = await found('in_0')
    expect(all.map(({ id }: { id: string }) => id)).toEqual(lines.map(({ id }) => id))
    expect((await found('in_1')).customer.name).toBe('Anonymous customer')
    expect((await found('in_2')).discounts).toMatchObject([{ external_id: 'GONE' }])
    expect((await found('in_3')).line_items).toMatchObject([
      { interval: 'year', price: null },
      { interval: 'month', price: { external_id: 'price_old' } },
    ])
  })

  it('continues where it stopped, even within a line', async () => {
    const file = join(folder, 'parts.ndjson')
    // The eighth request is for the lines of the first invoice: the page with it is not written.
    faults = { 8: fail(400) }
    const stopped = await runWith('rk_test', file)
    expect(stopped).toMatchObject({ code: 1, err: expect.stringMatching(/invoices\/in_0\/lines.*: 400/) })
    const size = readFileSync(file).length
    truncateSync(file, size - 20)
    faults = {}
    asked.length = 0
    expect(await runWith('rk_test', file)).toMatchObject({ code: 0 })
    const [first = ''] = asked
    expect(first).toContain('/v1/subscriptions?')
    const whole = join(folder, 'whole.ndjson')
    await runWith('rk_test', whole)
    expect(readFileSync(file, 'utf8')).toBe(readFileSync(whole, 'utf8'))
    asked.length = 0
    // A file that is complete but for the last line feed stays as it is.
    truncateSync(file, readFileSync(file).length - 1)
    expect(await runWith('rk_test', file)).toMatchObject({ code: 0 })
    expect(asked).toEqual([])
    expect(readFileSync(file, 'utf8')).toBe(readFileSync(whole, 'utf8'))
  })

  it('prints what Stripe refuses', async () => {
    const { code: exit, err } = await runWith('sk_wrong', join(folder, 'none.ndjson'))
    expect(exit).toBe(1)
    expect(err).toMatch(/products\?limit=100: 401 .*Invalid API Key/)
  })
})
