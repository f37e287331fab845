import {
  BillingApiError,
  type ClientOptions,
  type CreateAllOptions,
  type CreateProduct,
  createClient,
  type Product,
} from '../../client/index.ts'
import { upTo } from '../support/lists.ts'

const access = { baseUrl: 'http://billing.test', appId: 'app', apiKey: 'key' }
const bodies: CreateProduct[] = upTo(3).map((id) => ({ id, name: `${id}` }))
const answering = (status: number) => async () => new Response('{"data":{"product":{}}}', { status })

const bug = new TypeError('a bug in the program')
const failing = (error: Error) =>
  (function* () {
    yield* bodies
    throw error
  })()
const onProgress = () => Promise.reject(bug)
const aborted = AbortSignal.abort(bug)

type Options = Partial<CreateAllOptions<Product, CreateProduct>>

describe('createAll', () => {
  it.each<[string, Iterable<CreateProduct>, Options, Partial<ClientOptions>]>([
    ['its source', failing(bug), {}, {}],
    ['onProgress', bodies, { onProgress }, {}],
    ['its signal', bodies, { signal: aborted }, {}],
    ['its signal, without a body', [], { signal: aborted }, {}],
    ['a hook', bodies, {}, { onRequest: () => Promise.reject(bug) }],
  ])('rejects with a TypeError of %s, which refuses no body', async (_, source, options, hooks) => {
    const outcomes: string[] = []
    const note = ({ outcome }: { outcome: string }) => void outcomes.push(outcome)
    const { products } = createClient({ ...access, fetch: answering(200), ...hooks })
    await expect(products.createAll(source, { onProgress: note, ...options })).rejects.toBe(bug)
    expect(outcomes).not.toContain('failed')
  })

  it('rejects with the failed call of its source, which refuses no body', async () => {
    const refusal = new BillingApiError('404', { status: 422 })
    const { products } = createClient({ ...access, fetch: answering(503) })
    await expect(products.createAll(failing(refusal))).rejects.toBe(refusal)
    expect(refusal.summary).toMatchObject({ created: 0, failed: [] })
  })

  it.each([
    ['a failure that concerns all bodies', 401, () => new AbortController().signal, { status: 401 }],
    ['its signal', 200, () => AbortSignal.timeout(50), { name: 'TimeoutError' }],
  ])(
    'rejects because of %s while its source is idle, and closes that later',
    async (_, status, signal, error) => {
      const { promise: idle, resolve: goOn } = Promise.withResolvers<void>()
      const { promise: closed, resolve: close } = Promise.withResolvers<void>()
      let sent = 0
      async function* source() {
        try {
          yield bodies[0]!
          await idle
          yield* bodies
        } finally {
          close()
        }
      }
      const fetch = () => {
        sent += 1
        return answering(status)()
      }
      const { products } = createClient({ ...access, fetch })
      await expect(products.createAll(source(), { signal: signal() })).rejects.toMatchObject(error)
      goOn()
      await closed
      expect(sent).toBe(1)
    },
  )
})
