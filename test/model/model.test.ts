import fc from 'fast-check'
import { setClock } from '../support/clock.ts'
import { scaleAtOnce } from '../support/database/scaling.ts'
import { readList } from '../support/requests/list-pages.ts'
import { type Client, newClient, serveForTests } from '../support/requests/service.ts'
import { runs } from '../support/runs.ts'
import { type ListName, Model } from './model.ts'
import { includesOf, listNames, type Step, someIncludes, steps } from './model-steps.ts'

serveForTests()
afterAll(() => setClock())

const takeStep = async (
  { list, send, respond, include = [] }: Step,
  client: Client,
  model: Model,
): Promise<void> => {
  // The service comes first, since its request uses the ids that the model has before the step.
  const { status, json } = await send(client, model)
  const expected = respond(model)
  expect(status).toBe(expected.status)
  if (expected.status !== 200) return
  const { entry } = expected
  const shown = json.data[list.slice(0, -1)]
  // The model learns the ids that the service assigns.
  entry.id ??= shown.id
  if (list === 'invoices')
    model.find('subscriptions', String(entry.content.subscription))!.id ??= shown.subscription_id
  expect(shown).toEqual(model.shown(list, entry, include))
}

interface ListQuery {
  readonly include: readonly string[]
  readonly limit: number
}

const expectSameList = async (
  client: Client,
  model: Model,
  list: ListName,
  query: ListQuery,
): Promise<void> => {
  const { include, limit } = query
  const shown = await readList(client, `/api/${list}`, { limit, include: include.join(',') })
  expect(shown).toEqual(model.lists[list].map((entry) => model.shown(list, entry, include)))
}

/** An invoice can start a subscription. */
const changedLists = (plan: readonly Step[]): ListName[] => {
  const lists = plan.map(({ list }) => list)
  return lists.includes('invoices') ? [...lists, 'subscriptions'] : lists
}

const plans = fc.record({
  plan: steps,
  listInPairs: fc.constantFrom(...listNames),
  stepsBeforeScaling: fc.nat(20),
  includes: someIncludes,
})

it('responds to any sequence of requests as a model in memory does, and leaves the same lists, even if it is scaled meanwhile', async () => {
  await fc.assert(
    fc.asyncProperty(plans, async ({ plan, listInPairs, stepsBeforeScaling, includes }) => {
      const client = await newClient()
      const model = new Model()
      for (const [index, step] of plan.entries()) {
        if (index === stepsBeforeScaling) await scaleAtOnce(client, 3)
        await takeStep(step, client, model)
      }
      const lists = new Set([listInPairs, ...changedLists(plan)])
      await Promise.all(
        [...lists].map((list) => {
          const limit = list === listInPairs ? 2 : 100
          return expectSameList(client, model, list, { include: includesOf(list, includes), limit })
        }),
      )
    }),
    { numRuns: runs(15, 5_000), endOnFailure: true },
  )
})
