import { requestExamples } from '../../shared/openapi/examples.ts'
import { invoices } from '../../shared/resources/invoice.ts'
import { inParallel } from '../support/in-parallel.ts'
import { range } from '../support/range.ts'
import { customerBody, invoiceBody, priceBody, productBody } from '../support/requests/bodies.ts'
import { type Client, newClient, serveForTests } from '../support/requests/service.ts'
import { writeOperations } from '../support/requests/write-operations.ts'

serveForTests()

const sold = '?include=line_items,price'
const withPrice = (price_id: unknown, index: number) => ({ id: `line ${index}`, price_id })
const withLines = (line_items: object[] | null | undefined) =>
  invoiceBody({ customer_id: 'customer', line_items })
const billed = (...ids: unknown[]) => withLines(ids.map(withPrice))

const { id: _, ...lineFields } = writeOperations['a line item']!.fields
const visibleFields = Object.entries(lineFields).filter(([, { isHidden }]) => !isHidden)
/** A line item in a response, without its id, when the request gave none of its fields. */
const emptyLine = Object.fromEntries(visibleFields.map(([name, { fallback }]) => [name, fallback]))

/** An application with a customer, and prices of two products. */
const setUp = async () => {
  const client = await newClient()
  await client.create('/api/customers', customerBody({ id: 'customer' }))
  for (const id of ['basic', 'pro']) await client.create('/api/products', productBody({ id }))
  const monthly = await client.create('/api/prices', priceBody({ id: 'monthly', product_id: 'basic' }))
  const yearly = await client.create('/api/prices', priceBody({ id: 7, product_id: 'pro', price: 70 }))
  return { client, monthly, yearly }
}

/** Returns the lines of an invoice, which its retrieve and the list of invoices show alike. */
const linesOf = async (client: Client, id: string, query = '?include=line_items') => {
  const { line_items } = (await client.get(`/api/invoices/${id}${query}`)).json.data.invoice
  const [listed] = (await client.get(`/api/invoices${query}&limit=1`)).json.data.invoices
  expect(listed).toMatchObject({ id, line_items })
  return line_items
}

// fields.test.ts shows which values each field of a line has.
it('keeps the order and the ids of line items, also equal ones', async () => {
  const { client } = await setUp()
  const lines = ['z', ' a/b ü ', 'z', '__proto__'].map((id, amount) => ({ id, amount }))
  const { id } = await client.create('/api/invoices', withLines(lines))
  expect(await linesOf(client, id)).toMatchObject(lines)
})

it('generates an id for a line item without one, the same on a retry, and takes an integer for its digits', async () => {
  const { client } = await setUp()
  const body = withLines([{}, { id: null }, { id: 7 }])
  const { id } = await client.create('/api/invoices', body)
  const lines = await linesOf(client, id)
  const generated = expect.stringMatching(/^li_[0-9A-Za-z]{22}$/)
  const ids = lines.map((line: { id: string }) => line.id)
  expect(ids).toEqual([generated, generated, '7'])
  expect(ids[0]).not.toBe(ids[1])
  const again = { ...body, line_items: [{}, { id: null }, { id: '7' }] }
  expect((await client.create('/api/invoices', again)).id).toBe(id)
  expect(await linesOf(client, id)).toEqual(lines)
})

it('embeds the price of a line with its product on request, and shows no trace of it otherwise', async () => {
  const { client, monthly, yearly } = await setUp()
  const { id } = await client.create(
    '/api/invoices',
    billed('monthly', null, yearly.id, undefined, 'monthly'),
  )
  const plain = range(5).map((index) => ({ ...emptyLine, id: `line ${index}` }))
  expect(await linesOf(client, id)).toEqual(plain)
  const [basic, pro] = await inParallel(['basic', 'pro'], async (product) => {
    return (await client.get(`/api/products/${product}`)).json.data.product
  })
  const [first, second] = [
    { ...monthly, product: basic },
    { ...yearly, product: pro },
  ]
  const prices = [first, null, second, null, first]
  const expected = plain.map((line, index) => ({ ...line, price: prices[index] }))
  expect(await linesOf(client, id, sold)).toEqual(expected)
  expect(await linesOf(client, id, '?include=price,customer,line_items')).toEqual(expected)
  expect((await linesOf(client, id, `${sold},external_id`))[2]).toEqual({
    ...plain[2],
    price: { ...yearly, external_id: '7', product: { ...pro, external_id: 'pro' } },
  })
})

it('replays an invoice with the other id of a price, and refuses one with another price', async () => {
  const { client, monthly } = await setUp()
  const body = billed('monthly', 7)
  const { id } = await client.create('/api/invoices', body)
  const again = (...ids: unknown[]) => ({ ...body, line_items: ids.map(withPrice) })
  expect((await client.create('/api/invoices', again(monthly.id, '7'))).id).toBe(id)
  for (const other of [again('monthly', null), again('monthly', 'monthly')]) {
    const { status, details } = await client.post('/api/invoices', other)
    expect({ status, details }).toEqual({
      status: 409,
      details: [expect.stringMatching(/other values of: line_items\.$/)],
    })
  }
})

it('refuses lines with unknown prices, with one error for each id and the number of its lines', async () => {
  const { client, monthly } = await setUp()
  const mistyped = `${monthly.id.slice(0, -1)}${monthly.id.endsWith('x') ? 'y' : 'x'}`
  const body = { ...billed('monthly', 'gone', 9, mistyped, 'gone', '9', 'gone'), customer_id: 'nobody' }
  const { status, details } = await client.post('/api/invoices', body)
  const unknown = (index: string, id: string, count: number) =>
    `line_items[${index}].price_id must be the id of an existing price; none has "${id}" (in ${count} of the line_items).`
  expect({ status, details }).toEqual({
    status: 422,
    details: [
      'customer_id must be the id of an existing customer; none has "nobody".',
      unknown('1', 'gone', 3),
      unknown('2', '9', 2),
      unknown('3', mistyped, 1),
    ],
  })
  expect((await client.get('/api/invoices')).json.data.invoices).toEqual([])
})

it('is documented by examples whose lines without their discounts come to the total', () => {
  const examples = Object.values(requestExamples(invoices.create)) as {
    value: { total: number; line_items?: { amount: number; discount_amount: number }[] }
  }[]
  const billed = examples.filter(({ value }) => value.line_items?.length)
  expect(billed).not.toEqual([])
  for (const { value } of billed)
    expect(
      value.line_items!.reduce((sum, { amount, discount_amount }) => sum + amount - discount_amount, 0),
    ).toBe(value.total)
})
