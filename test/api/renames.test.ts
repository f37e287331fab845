import { setClock } from '../support/clock.ts'
import { type ApiResponse, type Client, newClient, serveForTests } from '../support/requests/service.ts'

serveForTests()

let client: Client
afterEach(() => setClock())
beforeEach(async () => {
  client = await newClient()
  await client.create('/api/products', { id: 'plan', name: 'Plan' })
})

/** A resource whose creates can rename: a body, the name of its descriptive field, and a difference that stays a conflict. */
interface Renamable {
  readonly name: string
  readonly field: string
  readonly body: Readonly<Record<string, unknown>>
  readonly other: Readonly<Record<string, unknown>>
  readonly fixed: string
}

const monthly = { type: 'recurring', interval: 'month', interval_count: 1 }
const renamables: readonly Renamable[] = [
  { name: 'product', field: 'name', body: { id: 1, name: 'Pro' }, other: {}, fixed: '' },
  {
    name: 'price',
    field: 'title',
    body: { id: 1, product_id: 'plan', title: 'Pro', currency: 'EUR', price: 1900, ...monthly },
    other: { price: 2900 },
    fixed: 'price',
  },
  {
    name: 'discount',
    field: 'name',
    body: { id: 1, name: 'Spring', duration: 'once', percent_off: 10, currency: 'EUR' },
    other: { percent_off: 20 },
    fixed: 'percent_off',
  },
]

/** The seconds since the epoch. A later test is in a later second, since lists of changes are complete up to theirs. */
let second = 1_900_000_000

const outcomeOf = ({ status, headers }: ApiResponse) => [status, headers.get('create-outcome')]

describe.each(renamables)(
  'a create of a $name with on_conflict=update',
  ({ name, field, body, other, fixed }) => {
    const path = `/api/${name}s`
    const renamed = { ...body, [field]: 'Another name' }
    const upsert = (sent: object): Promise<ApiResponse> => client.post(`${path}?on_conflict=update`, sent)
    const shown = async () => (await client.get(`${path}/1`)).json.data[name]

    it('renames a recorded entity, and reports whether it was created, updated or unchanged', async () => {
      expect(outcomeOf(await upsert(body))).toEqual([200, 'created'])
      expect(outcomeOf(await upsert(body))).toEqual([200, 'unchanged'])
      const before = await shown()
      const response = await upsert(renamed)
      expect(outcomeOf(response)).toEqual([200, 'updated'])
      expect(response.json.data[name]).toEqual({ ...before, [field]: 'Another name' })
      expect(await shown()).toEqual({ ...before, [field]: 'Another name' })
      expect(outcomeOf(await upsert(renamed))).toEqual([200, 'unchanged'])
    })

    it('leaves a create that is sent again a replay, and other values a conflict', async () => {
      const { id } = await client.create(path, body)
      await upsert(renamed)
      const again = await client.post(path, body)
      expect({ status: again.status, replayed: again.headers.get('idempotent-replayed') }).toEqual({
        status: 200,
        replayed: 'true',
      })
      expect((await client.post(path, renamed)).status).toBe(409)
      expect((await shown()).id).toBe(id)
    })

    it('shows the new name in a list of changes, once, after everything that was recorded before', async () => {
      second += 2
      setClock(() => second * 1_000)
      await client.create(path, body)
      await client.create(path, { ...body, id: 2 })
      await upsert(renamed)
      // The list has what was changed before the current second.
      setClock(() => (second + 1) * 1_000)
      const { json } = await client.get(`${path}?changed_since=${second}&include=external_id`)
      const listed = json.data[`${name}s`].map((entity: Record<string, unknown>) => [
        entity.external_id,
        entity[field],
        entity.changed,
      ])
      expect(listed).toEqual([
        ['2', body[field], second],
        ['1', 'Another name', second],
      ])
    })

    if (fixed)
      it('refuses a difference in any other field with 409, and changes nothing', async () => {
        const { id } = await client.create(path, body)
        const before = await shown()
        for (const sent of [
          { ...body, ...other },
          { ...renamed, ...other },
        ]) {
          const { status, details } = await upsert(sent)
          expect({ status, details }).toEqual({
            status: 409,
            details: [
              `id must be unused, or sent with the recorded values of all fields but ${field}: "1" is already the id of ${name} ${id}, created with other values of: ${fixed}.`,
            ],
          })
        }
        expect(await shown()).toEqual(before)
      })
  },
)

it('clears the title of a price that is upserted without one', async () => {
  const { title, ...untitled } = renamables[1]!.body
  await client.create('/api/prices', { ...untitled, title })
  expect(outcomeOf(await client.post('/api/prices?on_conflict=update', untitled))).toEqual([200, 'updated'])
  expect((await client.get('/api/prices/1')).json.data.price.title).toBeNull()
})

it('shows the new name of a price wherever the price is embedded', async () => {
  await client.create('/api/prices', renamables[1]!.body)
  await client.post('/api/prices?on_conflict=update', { ...renamables[1]!.body, title: 'New' })
  const { json } = await client.get('/api/products/plan?include=prices')
  expect(json.data.product.prices).toEqual([expect.objectContaining({ title: 'New' })])
})

it('refuses changed_since in a list of prices that is filtered by a product, since prices can change', async () => {
  const { status, details } = await client.get('/api/prices?product_id=plan&changed_since=0')
  expect({ status, details }).toEqual({
    status: 422,
    details: [
      'changed_since must not be combined with product_id in this list: prices can change, and no index has the changes that belong to one product_id.',
    ],
  })
})
