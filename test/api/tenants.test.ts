import { catalogue } from '../../shared/catalogue.ts'
import { exampleBody } from '../../shared/openapi/examples.ts'
import { customerBody, invoiceBody, productBody } from '../support/bodies.ts'
import { pageAt } from '../support/lists.ts'
import { newClient, serveForTests } from '../support/service.ts'
import { everything, foreign, kinds, record, unknownIds, without } from '../support/tenants.ts'

serveForTests()

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

  it.each(
    catalogue.filter(({ path }) => path.includes('{id}')).map((endpoint) => [endpoint.id, endpoint] as const),
  )(
    "gets the same answer from %s for another's id as for an unknown one",
    async (_, { method, path, resource, include }) => {
      const { owner, stranger, spellings } = await foreign()
      const before = await everything(owner)
      const kind = resource.name
      const includes = ['', ...Object.keys(include).map((name) => `?include=${name}`)]
      const bodies = method === 'PUT' ? [undefined, { id: 'x', name: 'Taken over' }] : [undefined]
      const call = (id: string, query: string, body: unknown) =>
        stranger.call(method, path.replace('{id}', encodeURIComponent(id)) + query, {
          body: body && { ...body, id },
        })
      for (const query of includes)
        for (const body of bodies) {
          const unknown = without(unknownIds[kind]!, await call(unknownIds[kind]!, query, body))
          expect(unknown.status).toBe(404)
          for (const id of spellings(kind)) expect(without(id, await call(id, query, body))).toEqual(unknown)
        }
      expect(await everything(owner)).toEqual(before)
    },
  )

  // An unknown subscription is started; see below.
  const references = catalogue
    .filter(({ operation }) => operation === 'create')
    .flatMap(({ path, resource }) =>
      Object.entries(resource.fields).flatMap(([name, { reference }]) =>
        reference && !reference.mayBegin ? [{ path, resource, name, ...reference }] : [],
      ),
    )
  it.each(references)(
    "gets the same answer from $path for another's $name as for an unknown one",
    async ({ path, resource, name, many, target }) => {
      const { owner, stranger, spellings } = await foreign()
      await record(stranger, ' here')
      const before = [await everything(owner), await everything(stranger)]
      const own = exampleBody(resource, (kind) => `my ${kind.name} here`)
      const post = (id: string) => stranger.post(path, { ...own, id: 'new', [name]: many ? [id] : id })
      const unknown = without(unknownIds[target]!, await post(unknownIds[target]!))
      expect(unknown.status).toBe(422)
      for (const id of spellings(target)) expect(without(id, await post(id))).toEqual(unknown)
      expect([await everything(owner), await everything(stranger)]).toEqual(before)
    },
  )

  it("gets the same answer for another's subscription as for an unknown one, and starts its own by a client id", async () => {
    const { owner, stranger, spellings } = await foreign()
    await stranger.create('/api/customers', customerBody({ id: 'customer' }))
    const post = (subscription_id: string) =>
      stranger.post('/api/invoices', invoiceBody({ customer_id: 'customer', subscription_id }))
    const before = await everything(owner)
    const [server, ...others] = spellings('subscription')
    expect(without(server!, await post(server!))).toEqual(
      without(unknownIds.subscription!, await post(unknownIds.subscription!)),
    )
    const theirs = new Set(Object.values(before).flatMap((page) => page.map(({ id }) => id)))
    for (const id of others) {
      const { status, json } = await post(id)
      expect(status).toBe(200)
      expect(theirs.has(json.data.invoice.subscription_id)).toBe(false)
    }
    expect(await everything(owner)).toEqual(before)
  })

  it('learns nothing from a create under a client id of another application', async () => {
    const [owner, stranger] = [await newClient(), await newClient()]
    const { ids } = await record(owner)
    const answer = await stranger.post('/api/products', productBody({ id: 'my product', name: 'Other' }))
    expect([answer.status, answer.json.data.product.id === ids.product]).toEqual([200, false])
    // Another's server id is an ordinary client id here.
    const taken = await stranger.create('/api/products', productBody({ id: ids.product, name: 'Mine' }))
    expect((await stranger.get(`/api/products/${ids.product}`)).json.data.product).toEqual(taken)
    expect((await owner.get(`/api/products/${ids.product}`)).json.data.product.name).toBe('Pro plan')
  })

  it.each(
    catalogue
      .filter(({ operation }) => operation === 'list')
      .map((endpoint) => [endpoint.id, endpoint] as const),
  )(
    "gets the same answer from %s for another's cursor as for an invented one",
    async (_, { path, resource }) => {
      const [owner, stranger] = [await newClient(), await newClient()]
      for (const client of [owner, stranger]) for (const mark of ['', ' 2']) await record(client, mark)
      const { next } = await pageAt(owner, path, { limit: 1 })
      const { previous } = await pageAt(owner, path, { limit: 1, cursor: next })
      const told = async (cursor: string) => {
        const { status, details } = await stranger.get(`${path}?cursor=${cursor}`)
        return [status, details.map((detail) => detail.replace(cursor, 'the cursor'))]
      }
      const made = await told('A'.repeat(52))
      expect(made[0]).toBe(422)
      for (const cursor of [next, previous]) expect(await told(cursor!)).toEqual(made)
      expect(resource.plural).toBe(path.split('/').at(-1))
    },
  )
})
