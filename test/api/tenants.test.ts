import { catalogue, resourcesByName } from '../../shared/catalogue.ts'
import { mapIds, referencesOf } from '../../shared/contract/references.ts'
import { exampleBody } from '../../shared/openapi/examples.ts'
import { inParallel } from '../support/in-parallel.ts'
import { invoiceBody } from '../support/requests/bodies.ts'
import { readPage } from '../support/requests/list-pages.ts'
import { type ApiResponse, type Client, newClient, serveForTests } from '../support/requests/service.ts'

serveForTests()

/** The names of all resources. */
const kinds = [...resourcesByName.keys()]

const byKind = (value: (kind: string) => string): Record<string, string> =>
  Object.fromEntries(kinds.map((kind) => [kind, value(kind)]))

/** Ids that the service never assigns, by kind. */
const unknownIds = byKind((kind) => `${resourcesByName.get(kind)!.prefix}_${'0'.repeat(22)}`)

/** Creates the example of each kind, under client ids that consist of its kind and `mark`. Returns both ids of each. */
const record = async (client: Client, mark = '') => {
  const clientIds = byKind((kind) => `my ${kind}${mark}`)
  const creates = catalogue.filter(({ operation }) => operation === 'create')
  for (const { path, resource } of creates)
    await client.create(
      path,
      exampleBody(resource, ({ name }) => clientIds[name]),
    )
  const found = await everything(client)
  const ids = byKind(
    (kind) => found[kind]!.find(({ external_id }) => external_id === clientIds[kind])!.id as string,
  )
  return { ids, clientIds }
}

/** Hides the id that was sent, so that two responses can be compared. */
const without = (id: string, { status, json }: ApiResponse) => {
  const shown = JSON.stringify(JSON.stringify(id)).slice(1, -1)
  return { status, text: JSON.stringify(json).replaceAll(shown, '<id>').replaceAll(id, '<id>') }
}

/** Returns the entities of an application, by kind. */
const everything = async (client: Client): Promise<Record<string, Record<string, unknown>[]>> => {
  const page = async (plural: string) => readPage(client, `/api/${plural}`, { include: 'external_id' })
  const found = [...resourcesByName.values()].map(async ({ name, plural }) => [
    name,
    (await page(plural)).items,
  ])
  return Object.fromEntries(await Promise.all(found))
}

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

/** Returns ids and forged keys with which another application might look for the owner's entity of a kind. */
const spellings = (kind: string): string[] => {
  const { app_id: app } = owner.credentials
  const id = theirs.ids[kind]!
  return [
    id,
    theirs.clientIds[kind]!,
    `${app}#${id}`,
    `${app}/${id}`,
    `#${id}`,
    `${id}#ENTITY`,
    `../${app}#${id}`,
    encodeURIComponent(`${app}#${id}`),
    [...id].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join(''),
    ` ${id}`,
    `${id}\u00a0`,
    id.toUpperCase(),
  ]
}

it.each(catalogue.filter(({ path }) => path.includes('{id}')))(
  'responds in $id to the id of another application as to an unknown one',
  async ({ method, path, resource: { name: kind }, include }) => {
    const included = `?include=${Object.keys(include)}`
    const bodies = method === 'PUT' ? [undefined, { id: 'x', name: 'Taken over' }] : [undefined]
    const call = (id: string, query: string, body: unknown) =>
      stranger.call(method, path.replace('{id}', encodeURIComponent(id)) + query, {
        body: body && { ...body, id },
      })
    for (const query of ['', included])
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

// An unknown subscription is started, not refused: see the last test.
const references = catalogue
  .filter(({ operation }) => operation === 'create')
  .flatMap(({ path, resource }) =>
    referencesOf(resource.fields).flatMap(({ reference, ...place }) =>
      reference.startsEntity ? [] : [{ path, resource, place, name: place.field, target: reference.target }],
    ),
  )
it.each(references)(
  'responds in POST $path to the $name of another application as to an unknown one',
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
  'responds in $id to the cursor of another application as to an invented one',
  async ({ path }) => {
    const { next } = await readPage(owner, path, { limit: 1 })
    const { previous } = await readPage(owner, path, { limit: 1, cursor: next })
    const told = async (cursor: string) => {
      const { status, details } = await stranger.get(`${path}?cursor=${cursor}`)
      return [status, details.map((detail) => detail.replace(cursor, 'the cursor'))]
    }
    const made = await told('A'.repeat(52))
    expect(made[0]).toBe(422)
    for (const cursor of [next, previous]) expect(await told(cursor!)).toEqual(made)
  },
)

it('responds to the subscription of another application as to an unknown one, and starts a new one by its client id', async () => {
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
