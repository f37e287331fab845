import { setTimeout as pause } from 'node:timers/promises'
import { catalogue } from '../../shared/catalogue.ts'
import type { Resource } from '../../shared/contract/resource.ts'
import { exampleWithId, recordExamples } from '../faults/operations.ts'
import { pageAt, upTo } from '../support/lists.ts'
import { runs } from '../support/runs.ts'
import { type ApiResponse, type Client, newClient, serveForTests } from '../support/service.ts'

serveForTests()

/** Returns a body of a resource with an id and other content for each variant, with a subscription of its own. */
const bodyOfVariant = (resource: Resource, id: string, variant: number): object => {
  const body = exampleWithId(resource, id)
  const fields = Object.entries(resource.fields)
  const [plain] = fields.find(([, { reference }]) => !reference)!
  const started = fields.flatMap(([name, { reference }]) =>
    reference?.startsEntity ? [[name, `${id} ${variant}`]] : [],
  )
  const value = typeof body[plain] === 'number' ? variant : `Variant ${variant}`
  return { ...body, ...Object.fromEntries(started), [plain]: value }
}

/** Sends a create, and again after a 503 or a closed connection, as a client does. */
const post = async (client: Client, path: string, body: object): Promise<ApiResponse> => {
  for (;;) {
    const response = await client.post(path, body).catch((error: Error) => {
      if (error.message !== 'fetch failed') throw error
    })
    if (response && response.status !== 503) return response
    await pause(1_000 * Math.random())
  }
}

it.each(catalogue.filter(({ operation }) => operation === 'create'))(
  'records one content of concurrent creates of one id, replays equal ones and refuses others with 409: $id',
  async ({ resource }) => {
    const client = await newClient()
    await recordExamples(client)
    const list = resource.plural
    const before = (await pageAt(client, `/api/${list}`)).ids
    const started = (await pageAt(client, '/api/subscriptions')).ids
    const winners: string[] = []
    const subscriptions: string[] = []
    for (const round of upTo(runs(2, 20))) {
      const variants = upTo(runs(20, 200)).map(() => Math.floor(Math.random() * 3))
      const responses = await Promise.all(
        variants.map((variant) =>
          post(client, `/api/${list}`, bodyOfVariant(resource, `id ${round}`, variant)),
        ),
      )
      const entities = responses.flatMap(({ status, json }) =>
        status === 200 ? [Object.values(json.data)[0]] : [],
      ) as { id: string; subscription_id?: string }[]
      const recorded = responses.filter(
        ({ status, headers }) => status === 200 && !headers.has('idempotent-replayed'),
      )
      // None if the request that recorded it got a 503.
      expect(recorded.length).toBeLessThanOrEqual(1)
      const { id, subscription_id } = entities[0]!
      expect(new Set(entities.map((entity) => JSON.stringify(entity))).size).toBe(1)
      const won = variants[responses.findIndex(({ status }) => status === 200)]
      for (const [index, { status, details }] of responses.entries()) {
        expect(status).toBe(variants[index] === won ? 200 : 409)
        if (status === 409) expect(details[0]).toContain(id)
      }
      winners.unshift(id)
      if (subscription_id) subscriptions.unshift(subscription_id)
    }
    const all = (await pageAt(client, `/api/${list}`, { limit: 100 })).ids
    expect(all).toEqual([...winners, ...before])
    // The losers have left nothing behind, in any list.
    expect((await pageAt(client, '/api/subscriptions', { limit: 100 })).ids).toEqual([
      ...subscriptions,
      ...started,
    ])
  },
)
