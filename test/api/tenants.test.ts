import { catalogue, resourceNamed, resourcesByName } from '../../shared/catalogue.ts'
import { mapIds, referencesOf } from '../../shared/contract/identifiers.ts'
import { exampleBody } from '../../shared/openapi/examples.ts'
import { inParallel } from '../support/in-parallel.ts'
import { invoiceBody } from '../support/requests/bodies.ts'
import { readPage } from '../support/requests/list-pages.ts'
import {
  type ApiResponse,
  type Client,
  clientForTests,
  newClient,
  serveForTests,
} from '../support/requests/service.ts'

serveForTests()

type ByResource = Readonly<Record<string, string>>

const resourceNames = [...resourcesByName.keys()]

const forEachResource = (textFor: (name: string) => string): ByResource =>
  Object.fromEntries(resourceNames.map((name) => [name, textFor(name)]))

const unknownIds = forEachResource((name) => `${resourceNamed(name).prefix}_${'0'.repeat(22)}`)

type Entities = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

const entitiesOf = async (client: Client): Promise<Entities> => {
  const lists = [...resourcesByName.values()].map(async ({ name, plural }) => {
    const { items } = await readPage(client, `/api/${plural}`, { include: 'external_id' })
    return [name, items]
  })
  return Object.fromEntries(await Promise.all(lists))
}

const recordExamples = async (client: Client, mark = '') => {
  const clientIds = forEachResource((name) => `my ${name}${mark}`)
  const creates = catalogue.filter(({ operation }) => operation === 'create')
  for (const { path, resource } of creates) {
    const body = exampleBody(resource, ({ name }) => clientIds[name])
    await client.create(path, body)
  }
  const entities = await entitiesOf(client)
  const serverIds = forEachResource((name) => {
    const entity = entities[name]!.find(({ external_id }) => external_id === clientIds[name])
    return String(entity!.id)
  })
  return { serverIds, clientIds }
}

/** So that two responses can be compared. */
const withoutId = (id: string, { status, json }: ApiResponse) => {
  // The id in a text of JSON that is itself shown within a text of JSON.
  const escapedTwice = JSON.stringify(JSON.stringify(id)).slice(1, -1)
  return { status, text: JSON.stringify(json).replaceAll(escapedTwice, '<id>').replaceAll(id, '<id>') }
}

let owner: Client
let stranger: Client
let ownersIds: Awaited<ReturnType<typeof recordExamples>>
const entitiesOfBoth = () => Promise.all([entitiesOf(owner), entitiesOf(stranger)])
let entitiesBefore: Awaited<ReturnType<typeof entitiesOfBoth>>

beforeAll(async () => {
  owner = await newClient('Owner')
  stranger = await newClient('Stranger')
  ownersIds = await recordExamples(owner)
  await recordExamples(owner, ' 2')
  await recordExamples(stranger, ' here')
  await recordExamples(stranger, ' here 2')
  entitiesBefore = await entitiesOfBoth()
})

/** Another application might look with them for the owner's entity. */
const guessesOf = (resource: string): string[] => {
  const { app_id: app } = owner.credentials
  const id = ownersIds.serverIds[resource]!
  return [
    id,
    ownersIds.clientIds[resource]!,
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
  async ({ method, path, resource, include }) => {
    const unknownId = unknownIds[resource.name]!
    const bodies = method === 'PUT' ? [undefined, { name: 'Taken over' }] : [undefined]
    const queries = ['', `?include=${Object.keys(include)}`]
    const requests = queries.flatMap((query) => bodies.map((body) => ({ query, body })))
    for (const { query, body } of requests) {
      const call = (id: string) =>
        stranger.call(method, path.replace('{id}', encodeURIComponent(id)) + query, {
          body: body && { ...body, id },
        })
      const unknown = withoutId(unknownId, await call(unknownId))
      expect(unknown.status).toBe(404)
      await inParallel(guessesOf(resource.name), async (id) =>
        expect(withoutId(id, await call(id))).toEqual(unknown),
      )
    }
    expect(await entitiesOfBoth()).toEqual(entitiesBefore)
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
    const ownBody = exampleBody(resource, ({ name }) => `my ${name} here`)
    const post = (id: string) => stranger.post(path, { ...mapIds(place, ownBody, () => id), id: 'new' })
    const unknownId = unknownIds[target]!
    const unknown = withoutId(unknownId, await post(unknownId))
    expect(unknown.status).toBe(422)
    await inParallel(guessesOf(target), async (id) => expect(withoutId(id, await post(id))).toEqual(unknown))
    expect(await entitiesOfBoth()).toEqual(entitiesBefore)
  },
)

it.each(catalogue.filter(({ operation }) => operation === 'list'))(
  'responds in $id to the cursor of another application as to an invented one',
  async ({ path }) => {
    const { next } = await readPage(owner, path, { limit: 1 })
    const { previous } = await readPage(owner, path, { limit: 1, cursor: next })
    const responseTo = async (cursor: string) => {
      const { status, details } = await stranger.get(`${path}?cursor=${cursor}`)
      return { status, details: details.map((detail) => detail.replace(cursor, 'the cursor')) }
    }
    const invented = await responseTo('A'.repeat(52))
    expect(invented.status).toBe(422)
    expect(await responseTo(next!)).toEqual(invented)
    expect(await responseTo(previous!)).toEqual(invented)
  },
)

describe('an invoice for the subscription of another application', () => {
  const client = clientForTests()
  beforeAll(async () => {
    await client.create('/api/customers', { id: 'customer' })
  })
  const post = (subscription_id: string) =>
    client.post('/api/invoices', invoiceBody({ customer_id: 'customer', subscription_id }))
  const isPadded = (id: string) => id.trim() !== id

  it('is refused with its server id, as with an unknown one', async () => {
    const id = ownersIds.serverIds.subscription!
    const unknownId = unknownIds.subscription!
    expect(withoutId(id, await post(id))).toEqual(withoutId(unknownId, await post(unknownId)))
  })

  it('is refused with an id that begins or ends with white space', async () => {
    const padded = guessesOf('subscription').filter(isPadded)
    expect(padded).toHaveLength(2)
    for (const id of padded) expect((await post(id)).status).toBe(422)
  })

  it('starts a subscription of its own with any other id', async () => {
    const [, ...guesses] = guessesOf('subscription')
    const responses = await inParallel(
      guesses.filter((id) => !isPadded(id)),
      post,
    )
    for (const { status, json } of responses) {
      expect(status).toBe(200)
      expect(JSON.stringify(entitiesBefore)).not.toContain(json.data.invoice.subscription_id)
    }
    expect(await entitiesOfBoth()).toEqual(entitiesBefore)
  })
})
