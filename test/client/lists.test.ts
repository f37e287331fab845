import type { Client, Customer } from '../../client/index.ts'
import { serveForTests } from '../support/service.ts'
import { newTypedClient } from '../support/typed-client.ts'

serveForTests()

const COUNT = 7
let client: Client
let newestFirst: Customer[]

beforeAll(async () => {
  client = await newTypedClient()
  newestFirst = []
  for (let id = 1; id <= COUNT; id += 1) newestFirst.unshift(await client.customers.create({ id }))
})

const collected = async <T>(all: AsyncIterable<T>): Promise<T[]> => {
  const items: T[] = []
  for await (const item of all) items.push(item)
  return items
}

describe('a list', () => {
  it('returns a page with its cursors', async () => {
    const first = await client.customers.list({ limit: 3 })
    expect(first).toEqual({
      items: newestFirst.slice(0, 3),
      has_more: true,
      next_cursor: expect.any(String),
      previous_cursor: null,
    })
    const second = await client.customers.list({ limit: 3, cursor: first.next_cursor })
    expect(second.items).toEqual(newestFirst.slice(3, 6))
    expect((await client.customers.list({ limit: 3, cursor: second.previous_cursor })).items).toEqual(
      first.items,
    )
  })

  it.each([1, 2, 3, 7, 100, undefined])('is iterated to its end with a limit of %s', async (limit) => {
    expect(await collected(client.customers.all({ limit }))).toEqual(newestFirst)
  })

  it('is iterated from a cursor', async () => {
    const { next_cursor: cursor } = await client.customers.list({ limit: 2 })
    expect(await collected(client.customers.all({ limit: 2, cursor }))).toEqual(newestFirst.slice(2))
  })

  it.each([1, 2, 100])(
    'is iterated backwards from a cursor, nearest first, with a limit of %s',
    async (limit) => {
      const { next_cursor } = await client.customers.list({ limit: 5 })
      const { previous_cursor: cursor } = await client.customers.list({ limit: 2, cursor: next_cursor })
      const backwards = await collected(client.customers.all({ limit, cursor, direction: 'newer' }))
      expect(backwards).toEqual(newestFirst.slice(0, 5).reverse())
    },
  )

  it('has nothing before its first page', async () => {
    const { previous_cursor: cursor } = await client.customers.list()
    expect(await collected(client.customers.all({ cursor, direction: 'newer' }))).toEqual([])
  })

  it('is not read beyond the end of the loop', async () => {
    let seen = 0
    for await (const { id } of client.customers.all({ limit: 1 })) {
      expect(id).toBe(newestFirst[seen]?.id)
      seen += 1
      if (seen === 2) break
    }
    expect(seen).toBe(2)
  })

  it('is filtered by either id, and not by an empty one', async () => {
    const [customer] = newestFirst
    const bill = { total: 1, created: '2024-01-01', period_start: '2024-01-01', period_end: '2024-02-01' }
    for (const id of [COUNT, 1])
      await client.invoices.create({ ...bill, id, currency: 'EUR', customer_id: id, subscription_id: id })
    const own = await client.invoices.list({ customer_id: COUNT })
    expect(own.items.map(({ customer_id }) => customer_id)).toEqual([customer!.id])
    expect(await collected(client.invoices.all({ customer_id: customer!.id, limit: 1 }))).toEqual(own.items)
    for (const customer_id of [undefined, null, ''])
      await expect(client.invoices.list({ customer_id } as { customer_id: string })).rejects.toThrow(
        'customer_id must be an id',
      )
  })

  it('may be empty', async () => {
    expect(await collected(client.discounts.all())).toEqual([])
  })
})
