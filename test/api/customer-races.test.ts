import { customerBody } from '../support/bodies.ts'
import { upTo } from '../support/lists.ts'
import { runs } from '../support/runs.ts'
import { type Client, newClient, serveForTests } from '../support/service.ts'

serveForTests()

const anonymous = { name: 'Anonymous customer', email: 'anonymous@anonymous.invalid' }

type State = { name: string | null; email: string | null; erased: boolean }
type Answered = { status: number; name?: string | null; email?: string | null }
interface Event {
  readonly start: number
  readonly end: number
  /** What the operation does to a customer, and what it must answer then. */
  readonly apply: (state: State) => [State, Answered]
  readonly answered: Answered
}

const shownOf = ({ name, email }: State): Answered => ({ status: 200, name, email })

/** Whether some order of the events, in which nothing comes after what began when it had ended, explains all answers. */
const isLegal = (state: State, events: readonly Event[]): boolean =>
  events.length === 0 ||
  events.some((event) => {
    if (events.some((other) => other.end < event.start)) return false
    const [next, answer] = event.apply(state)
    return (
      answer.status === event.answered.status &&
      (answer.status !== 200 ||
        (answer.name === event.answered.name && answer.email === event.answered.email)) &&
      isLegal(
        next,
        events.filter((other) => other !== event),
      )
    )
  })

/** What is done to a customer at once, and what is asked of it then. */
const operations = (client: Client, body: ReturnType<typeof customerBody>) => {
  const path = `/api/customers/${body.id}`
  const change = (fields: Partial<State>) => ({
    call: () => client.put(path, { id: body.id, ...fields }),
    apply: (state: State): [State, Answered] => [{ ...state, ...fields }, shownOf({ ...state, ...fields })],
  })
  const erase = {
    call: () => client.put(path),
    apply: (): [State, Answered] => [{ ...anonymous, erased: true }, shownOf({ ...anonymous, erased: true })],
  }
  const replay = {
    call: () => client.post('/api/customers', body),
    apply: (state: State): [State, Answered] => [state, state.erased ? { status: 409 } : shownOf(state)],
  }
  const read = {
    call: () => client.get(path),
    apply: (state: State): [State, Answered] => [state, shownOf(state)],
  }
  const race = [
    change({ name: 'A' }),
    change({ email: 'B' }),
    change({ name: 'C', email: null }),
    erase,
    erase,
    replay,
    replay,
    read,
  ]
  return { race, read, replay }
}

/** What a round of them has been answered. */
const history = async (client: Client, round: number): Promise<{ start: State; events: Event[] }> => {
  const body = customerBody({ name: `n${round}`, email: `e${round}` })
  await client.create('/api/customers', body)
  const { race, read, replay } = operations(client, body)
  const plan = race.map((each) => ({ each, key: Math.random() })).sort((a, b) => a.key - b.key)
  const run = async ({ each }: (typeof plan)[number]): Promise<Event> => {
    const start = performance.now()
    const { status, json } = await each.call()
    const { name, email } = json.data?.customer ?? {}
    return { start, end: performance.now(), apply: each.apply, answered: { status, name, email } }
  }
  const half = Math.floor(Math.random() * plan.length)
  const events = [
    ...(await Promise.all(plan.slice(0, half).map(run))),
    ...(await Promise.all(plan.slice(half).map(run))),
  ]
  for (const each of [read, replay]) events.push(await run({ each, key: 0 }))
  return { start: { name: body.name, email: body.email, erased: false }, events }
}

describe('updates, erasures and replays at once', () => {
  it('have an order that explains every answer: an erased name never comes back', async () => {
    const client = await newClient()
    for (const round of upTo(runs(30, 1_000))) {
      const { start, events } = await history(client, round)
      if (!isLegal(start, events)) throw new Error(`no order explains ${JSON.stringify(events, null, 1)}`)
      // The name of before the erasure, which no update in the history sends again.
      expect(events.at(-2)!.answered.name).not.toBe(start.name)
    }
  })
})
