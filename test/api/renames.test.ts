import { setClock } from '../support/clock.ts'
import { expectOutcome, expectReplay } from '../support/requests/create-responses.ts'
import { type ApiResponse, clientForEachTest, serveForTests } from '../support/requests/service.ts'

serveForTests()

const client = clientForEachTest()
afterEach(() => setClock())
beforeEach(async () => {
  await client.create('/api/products', { id: 'plan', name: 'Plan' })
})

interface Renamable {
  readonly name: string
  readonly body: Readonly<Record<string, unknown>>
  /** A create can change it. */
  readonly nameField: string
  /** Absent if the body has no other field. */
  readonly fixed?: { readonly field: string; readonly value: unknown }
}

const priceBody = {
  id: 1,
  product_id: 'plan',
  title: 'Pro',
  currency: 'EUR',
  price: 1900,
  type: 'recurring',
  interval: 'month',
  interval_count: 1,
}
const renamables: readonly Renamable[] = [
  { name: 'product', body: { id: 1, name: 'Pro' }, nameField: 'name' },
  { name: 'price', body: priceBody, nameField: 'title', fixed: { field: 'price', value: 2900 } },
  {
    name: 'discount',
    body: { id: 1, name: 'Spring', duration: 'once', percent_off: 10, currency: 'EUR' },
    nameField: 'name',
    fixed: { field: 'percent_off', value: 20 },
  },
]

/** Each test sets a later time than the tests before, since their change feeds are complete. */
let second = 1_900_000_000

describe.each(renamables)(
  'a create of a $name with on_conflict=update',
  ({ name, body, nameField, fixed }) => {
    const path = `/api/${name}s`
    const renamed = { ...body, [nameField]: 'Another name' }
    const upsert = (sent: object): Promise<ApiResponse> => client.post(`${path}?on_conflict=update`, sent)
    const retrieve = async () => (await client.get(`${path}/1`)).json.data[name]

    it('renames a recorded entity, and reports whether it was created, updated or unchanged', async () => {
      expectOutcome(await upsert(body), 'created')
      expectOutcome(await upsert(body), 'unchanged')
      const before = await retrieve()
      const response = await upsert(renamed)
      expectOutcome(response, 'updated')
      expect(response.json.data[name]).toEqual({ ...before, [nameField]: 'Another name' })
      expect(await retrieve()).toEqual({ ...before, [nameField]: 'Another name' })
      expectOutcome(await upsert(renamed), 'unchanged')
    })

    it('does not change that an ordinary create is a replay of equal values and a conflict with others', async () => {
      const { id } = await client.create(path, body)
      await upsert(renamed)
      expectReplay(await client.post(path, body))
      expect((await client.post(path, renamed)).status).toBe(409)
      expect((await retrieve()).id).toBe(id)
    })

    it('shows the new name in a change feed, once, after all earlier records', async () => {
      second += 2
      setClock(() => second * 1_000)
      await client.create(path, body)
      await client.create(path, { ...body, id: 2 })
      await upsert(renamed)
      // The feed has the changes before the current second.
      setClock(() => (second + 1) * 1_000)
      const { json } = await client.get(`${path}?changed_since=${second}&include=external_id`)
      const listed = json.data[`${name}s`].map((entity: Record<string, unknown>) => [
        entity.external_id,
        entity[nameField],
        entity.changed,
      ])
      expect(listed).toEqual([
        ['2', body[nameField], second],
        ['1', 'Another name', second],
      ])
    })

    if (fixed)
      it('refuses a difference in any other field with 409, and changes nothing', async () => {
        const { id } = await client.create(path, body)
        const before = await retrieve()
        for (const sent of [body, renamed])
          expect(await upsert({ ...sent, [fixed.field]: fixed.value })).toMatchObject({
            status: 409,
            details: [
              `id must be unused, or sent with the recorded values of all fields but ${nameField}: "1" is already the id of ${name} ${id}, created with other values of: ${fixed.field}.`,
            ],
          })
        expect(await retrieve()).toEqual(before)
      })
  },
)

it('clears the title of a price that is upserted without one', async () => {
  const { title: _, ...untitled } = priceBody
  await client.create('/api/prices', priceBody)
  expectOutcome(await client.post('/api/prices?on_conflict=update', untitled), 'updated')
  expect((await client.get('/api/prices/1')).json.data.price.title).toBeNull()
})

it('shows the new name of a price wherever the price is embedded', async () => {
  await client.create('/api/prices', priceBody)
  await client.post('/api/prices?on_conflict=update', { ...priceBody, title: 'New' })
  const { json } = await client.get('/api/products/plan?include=prices')
  expect(json.data.product.prices).toEqual([expect.objectContaining({ title: 'New' })])
})

it('refuses changed_since together with product_id in the list of prices, since prices can change', async () => {
  expect(await client.get('/api/prices?product_id=plan&changed_since=0')).toMatchObject({
    status: 422,
    details: [
      'changed_since must not be combined with product_id in this list: prices can change, and no index has the changes that belong to one product_id.',
    ],
  })
})
