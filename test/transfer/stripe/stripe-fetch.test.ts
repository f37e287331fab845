import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { filesOf, importAs } from '../../support/importing.ts'
import { upTo } from '../../support/lists.ts'
import { runToEnd } from '../../support/local-process.ts'
import { pastedBlocks } from '../../support/portable.ts'
import { newClient, serveForTests } from '../../support/service.ts'
import { coupon, customer, invoice, line, price, product, versions } from '../../support/stripe-objects.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

serveForTests()

const version = versions[1]
const lines = upTo(230).map((number) => line(version, { id: `il_${number}`, proration: number > 0 }))
/** The lists of an invented Stripe account, some of them longer than a page. */
const lists: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> = {
  products: [product()],
  prices: [price()],
  customers: [customer()],
  coupons: [coupon()],
  invoices: upTo(101).map((number) =>
    invoice(version, {
      id: `in_${number}`,
      parent: { subscription_details: { subscription: `sub_${number}` } },
      lines: number === 0 ? lines : [line(version)],
    }),
  ),
  credit_notes: [],
  'invoices/in_0/lines': lines,
}

let asked = 0
/** Serves lists as Stripe does: 100 objects a page, ten lines in an invoice, and 429 to one request. */
const stripe = createServer(({ url = '', headers }, response) => {
  const { pathname, searchParams } = new URL(url, 'http://stripe')
  const name = pathname.replace('/v1/', '')
  const reply = (status: number, body: object) => response.writeHead(status).end(JSON.stringify(body))
  asked += 1
  if (headers.authorization !== 'Bearer rk_test') return reply(401, { error: { message: 'Invalid API Key' } })
  if (asked === 2) return reply(429, { error: { message: 'Too many requests' } })
  const all = lists[name]!
  const from = all.findIndex(({ id }) => id === searchParams.get('starting_after')) + 1
  const isExpanded = searchParams.get('expand[]') === 'data.discounts'
  const data = all.slice(from, from + 100).map((each) => {
    if (name !== 'invoices') return each
    const { data: allLines } = each.lines as { data: object[] }
    const shown = { data: allLines.slice(0, 10), has_more: allLines.length > 10 }
    return { ...each, discounts: isExpanded ? each.discounts : ['di_1'], lines: shown }
  })
  return reply(200, { object: 'list', url: pathname, data, has_more: from + 100 < all.length })
})
let STRIPE_URL: string
beforeAll(async () => {
  await new Promise<void>((resolve) => stripe.listen(0, '127.0.0.1', resolve))
  STRIPE_URL = `http://127.0.0.1:${(stripe.address() as AddressInfo).port}`
})
afterAll(() => stripe.close())

describe('the program of the guide that reads a Stripe account', () => {
  const [code = ''] = pastedBlocks(readFileSync('docs/data.md', 'utf8').split('### From Stripe')[1]!, ['js'])
  const program = join(temporaryFolder(), 'fetch-stripe.mjs')
  beforeAll(() => writeFileSync(program, code))
  const runWith = (STRIPE_KEY: string) => runToEnd(process.execPath, [program], { STRIPE_URL, STRIPE_KEY })

  it('prints all pages of all lists with all lines of invoices, which the import records', async () => {
    const { code: exit, out } = await runWith('rk_test')
    expect(exit).toBe(0)
    const client = await newClient()
    const { paths } = filesOf({ 'stripe.ndjson': out })
    const { counts, shown } = await importAs(client, [...paths, '--from', 'stripe'])
    expect(counts).toMatchObject({ rows: 105, created: 105, invalid: 0, skipped: {} })
    expect(shown).toMatch(/Rows recorded: all 105 \(105 created\)/)
    const { json } = await client.get('/api/invoices/in_0?include=line_items')
    expect(json.data.invoice.line_items.map(({ id }: { id: string }) => id)).toEqual(
      lines.map(({ id }) => id),
    )
  })

  it('prints what Stripe refuses', async () => {
    const { code: exit, err } = await runWith('sk_wrong')
    expect(exit).toBe(1)
    expect(err).toMatch(/products\?limit=100: 401 .*Invalid API Key/)
  })
})
