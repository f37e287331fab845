import fc from 'fast-check'
import { productBody } from '../support/bodies.ts'
import { type ListPage, pageAt } from '../support/lists.ts'
import { runs } from '../support/runs.ts'
import { type Client, newClient, serveForTests } from '../support/service.ts'

serveForTests()

type Step =
  | { readonly kind: 'write'; readonly count: number }
  | { readonly kind: 'next' | 'previous' | 'first'; readonly limit: number }

const steps = fc.array(
  fc.oneof(
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('write' as const), count: fc.integer({ min: 1, max: 4 }) }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constantFrom('next' as const, 'next' as const, 'previous' as const, 'first' as const),
        limit: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constantFrom(7, 99, 100)),
      }),
    },
  ),
  { minLength: 2, maxLength: 12 },
)

/** What a page must hold: `model` is the list, newest first, and `from`/`to` the part that was asked for. */
const expectPage = (page: ListPage, model: readonly string[], from: number, to: number): void => {
  expect(page.ids).toEqual(model.slice(from, to))
  expect([page.previous !== null, page.more]).toEqual([from > 0, to < model.length])
}

/** Does the steps on a list and on a plain array, which must agree at each of them. */
const walk = async (client: Client, plan: readonly Step[], model: string[]): Promise<void> => {
  const get = (query: Record<string, string | number>) => pageAt(client, '/api/products', query)
  let here = await get({ limit: 1 })
  expectPage(here, model, 0, Math.min(1, model.length))
  for (const step of plan) {
    if (step.kind === 'write') {
      for (let count = 0; count < step.count; count += 1)
        model.unshift((await client.create('/api/products', productBody())).id)
    } else if (step.kind === 'next' && here.next) {
      const from = model.indexOf(here.ids.at(-1)!) + 1
      here = await get({ limit: step.limit, cursor: here.next })
      expectPage(here, model, from, Math.min(from + step.limit, model.length))
    } else if (step.kind === 'previous' && here.previous) {
      const to = model.indexOf(here.ids[0]!)
      here = await get({ limit: step.limit, cursor: here.previous })
      expectPage(here, model, Math.max(0, to - step.limit), to)
    } else {
      here = await get({ limit: step.limit })
      expectPage(here, model, 0, Math.min(step.limit, model.length))
    }
  }
}

describe('random walks with writes between the pages', () => {
  it('see what a sorted list would show', async () => {
    // A list serves several walks, so that they meet lists of every length.
    let [client, model, walks] = [await newClient(), [] as string[], 0]
    await fc.assert(
      fc.asyncProperty(steps, async (plan) => {
        walks += 1
        if (walks % 15 === 0) [client, model] = [await newClient(), []]
        await walk(client, plan, model)
      }),
      { numRuns: runs(100, 10_000), endOnFailure: true },
    )
  })
})
