import fc from 'fast-check'
import { setClock } from '../support/clock.ts'
import { scaleAtOnce } from '../support/database/scaling.ts'
import { readPages } from '../support/requests/list-pages.ts'
import { type Client, newClient, serveForTests } from '../support/requests/service.ts'
import { runs } from '../support/runs.ts'
import { Model } from './model.ts'
import { embedded, includesIn, lists, type Step, steps } from './model-steps.ts'

serveForTests()
afterAll(() => setClock())

const take = async (
  { list, call, expect: expected, include = [] }: Step,
  client: Client,
  model: Model,
): Promise<void> => {
  // The call comes first, since it uses the ids known before the model changes.
  const { status, json } = await call(client, model)
  const should = expected(model)
  expect(status).toBe(should.status)
  if (should.status !== 200) return
  const shown = json.data[list.slice(0, -1)]
  should.entry.id ??= shown.id
  if (list === 'invoices')
    model.find('subscriptions', should.entry.content.subscription as string)!.id ??= shown.subscription_id
  expect(shown).toEqual(model.shown(list, should.entry, include))
}

const plans = fc.record({
  plan: steps,
  /** The list to read two entities a page. */
  inPairs: fc.constantFrom(...lists),
  /** The number of steps after which lists are scaled. */
  growsAt: fc.nat(20),
  /** The includes of the lists at the end. */
  names: embedded,
})

it('responds to any sequence of requests as a model in memory does, and leaves the same lists, even if they are scaled meanwhile', async () => {
  await fc.assert(
    fc.asyncProperty(plans, async ({ plan, inPairs, growsAt, names }) => {
      const [client, model] = [await newClient(), new Model()]
      for (const [index, step] of plan.entries()) {
        if (index === growsAt) await scaleAtOnce(client, 3)
        await take(step, client, model)
      }
      const touched = new Set([
        inPairs,
        ...plan.flatMap(({ list }) => (list === 'invoices' ? [list, 'subscriptions' as const] : list)),
      ])
      await Promise.all(
        [...touched].map(async (list) => {
          const include = includesIn(list, names)
          const query = { limit: list === inPairs ? 2 : 100, include: include.join(',') }
          const pages = await readPages(client, `/api/${list}`, query)
          expect(pages.flatMap(({ items }) => items)).toEqual(
            model.lists[list].map((entry) => model.shown(list, entry, include)),
          )
        }),
      )
    }),
    { numRuns: runs(15, 5_000), endOnFailure: true },
  )
})
