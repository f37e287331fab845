import { catalogue } from '../../shared/catalogue.ts'
import { mapIds, referencesOf } from '../../shared/contract/references.ts'
import { exampleBody } from '../../shared/openapi/examples.ts'
import { invoiceBody, productBody } from '../support/bodies.ts'
import { inParallel, pageAt } from '../support/lists.ts'
import { type Client, newClient, serveForTests } from '../support/service.ts'
import { everything, kinds, record, spellingsOf, unknownIds, without } from '../support/tenants.ts'

serveForTests()

let owner: Client
let stranger: Client
let theirs: Awaited<ReturnType<typeof record>>
/** The entities of both applications before any test. */
let before: unknown
const entities = () => Promise.all([everything(owner), everything(stranger)])

beforeAll(async () => {
  owner = await newClient('Owner')
  stranger = await newClient('Stranger')
  theirs = await record(owner)
  for (const [client, mark] of [
    [owner, ' 2'],
    [stranger, ' here'],
    [stranger, ' here 2'],
  ] as const)
    await record(client, mark)
  before = await entities()
})

/** Every way to spell the id of the owner's entity of a kind. */
const spellings = (kind: string) =>
  spellingsOf(owner.credentials.app_id, theirs.ids[kind]!, theirs.clientIds[kind]!)

describe('an application', () => {
  it('can use the client ids of another application for its own entities', async () => {
    const [one, two] = [await newClient(), await newClient()]
    const [ofOne, ofTwo] = [await record(one), await record(two)]
    for (const kind of kinds) expect(ofOne.ids[kind]).not.toBe(ofTwo.ids[kind])
    await two.put('/api/customers/my%20customer', { id: 'my customer', name: 'Only here' })
    await one.put('/api/customers/my%20customer')
    expect((await two.get('/api/customers/my%20customer')).json.data.customer.name).toBe('Only here')
    for (const [client, { ids }] of [
      [one, ofOne],
      [two, ofTwo],
    ] as const)
      expect(await everything(client)).toMatchObject(
        Object.fromEntries(kinds.map((kind) => [kind, [{ id: ids[kind] }]])),
      )
    const { items } = await pageAt(two, '/api/invoices', { include: 'customer,subscription,line_items' })
    expect(items[0]).toMatchObject({
      customer: { name: 'Only here' },
      subscription: { id: ofTwo.ids.subscription },
    })
    const products = await pageAt(one, '/api/products', { include: 'prices' })
    expect(products.items[0].prices.map(({ id }: { id: string }) => id)).toEqual([ofOne.ids.price])
  })

  it.each(catalogue.filter(({ path }) => path.includes('{id}')))(
    "gets the same response from $id for another's id as for an unknown one",
    async ({ method, path, resource: { name: kind }, include }) => {
      const includes = Object.entries(include).map(([name, how]) =>
        'within' in how ? `?include=${how.within},${name}` : `?include=${name}`,
      )
      const bodies = method === 'PUT' ? [undefined, { id: 'x', name: 'Taken over' }] : [undefined]
      const call = (id: string, query: string, body: unknown) =>
        stranger.call(method, path.replace('{id}', encodeURIComponent(id)) + query, {
          body: body && { ...body, id },
        })
      for (const query of ['', ...includes])
        for (const body of bodies) {
          const unknown = without(unknownIds[kind]!, await call(unknownIds[kind]!, query, body))
          expect(unknown.status).toBe(404)
          await inParallel(spellings(kind), async (id) =>
            expect(without(id, await call(id, query, body))).toEqual(unknown),
          )
        }
      expect(await entities()).toEqual(before)
    },
  )

  // An unknown subscription is started; see below.
  const references = catalogue
    .filter(({ operation }) => operation === 'create')
    .flatMap(({ path, resource }) =>
      referencesOf(resource.fields).flatMap(({ reference, ...place }) =>
        reference.mayBegin ? [] : [{ path, resource, place, name: place.field, target: reference.target }],
      ),
    )
  it.each(references)(
    "gets the same response from $path for another's $name as for an unknown one",
    async ({ path, resource, place, target }) => {
      const own = exampleBody(resource, (kind) => `my ${kind.name} here`)
      const post = (id: string) => stranger.post(path, { ...mapIds(place, own, () => id), id: 'new' })
      const unknown = without(unknownIds[target]!, await post(unknownIds[target]!))
      expect(unknown.status).toBe(422)
      await inParallel(spellings(target), async (id) => expect(without(id, await post(id))).toEqual(unknown))
      expect(await entities()).toEqual(before)
    },
  )

  it.each(catalogue.filter(({ operation }) => operation === 'list'))(
    "gets the same response from $id for another's cursor as for an invented one",
    async ({ path }) => {
      const { next } = await pageAt(owner, path, { limit: 1 })
      const { previous } = await pageAt(owner, path, { limit: 1, cursor: next })
      const told = async (cursor: string) => {
        const { status, details } = await stranger.get(`${path}?cursor=${cursor}`)
        return [status, details.map((detail) => detail.replace(cursor, 'the cursor'))]
      }
      const made = await told('A'.repeat(52))
      expect(made[0]).toBe(422)
      for (const cursor of [next, previous]) expect(await told(cursor!)).toEqual(made)
    },
  )

  it("gets the same response for another application's subscription as for an unknown one, and creates its own by client id", async () => {
    const client = await newClient()
    await client.create('/api/customers', { id: 'customer' })
    const post = (subscription_id: string) =>
      client.post('/api/invoices', invoiceBody({ customer_id: 'customer', subscription_id }))
    const [server, ...others] = spellings('subscription')
    expect(without(server!, await post(server!))).toEqual(
      without(unknownIds.subscription!, await post(unknownIds.subscription!)),
    )
    const padded = (id: string) => id.trim() !== id
    for (const id of others.filter(padded)) expect((await post(id)).status).toBe(422)
    const responses = await inParallel(
      others.filter((id) => !padded(id)),
      post,
    )
    for (const { status, json } of responses) {
      expect(status).toBe(200)
      expect(JSON.stringify(before)).not.toContain(json.data.invoice.subscription_id)
    }
    expect(await entities()).toEqual(before)
  })

  it('learns nothing from a create under a client id of another application', async () => {
    const client = await newClient()
    const response = await client.post('/api/products', productBody({ id: 'my product', name: 'Other' }))
    expect([response.status, response.json.data.product.id === theirs.ids.product]).toEqual([200, false])
    // Another's server id is an ordinary client id here.
    const taken = await client.create('/api/products', productBody({ id: theirs.ids.product, name: 'Mine' }))
    expect((await client.get(`/api/products/${theirs.ids.product}`)).json.data.product).toEqual(taken)
    expect(await entities()).toEqual(before)
  })
})
