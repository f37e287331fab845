import { budget } from '../../shared/budget.ts'
import { catalogue } from '../../shared/catalogue.ts'
import { forgetApplications } from '../../shared/store/authorisation.ts'
import { setBudget, shortBudget } from '../support/budgets.ts'
import { serveWithFaults } from '../support/fault-proxy.ts'
import { type ApiResponse, type Client, newClient, SENTINEL } from '../support/service.ts'
import { stalledMillis } from '../support/stalls.ts'
import { type Fault, faults, INSIDE, writes } from '../support/wire-faults.ts'
import { type FaultyOperation, type FaultyRequest, operations, seed } from './operations.ts'

const long = Boolean(process.env.LONG)
/** Sets a budget for faults that take no time: a busy machine may miss a good attempt. */
const enlargeBudget = () => setBudget({ ...shortBudget, request: 5_400, attempt: 3_000, connect: 1_000 })
// A client keeps the connect timeout that it was created with.
enlargeBudget()

const proxy = serveWithFaults()

/** An operation with its own application, whose cases run one after another. */
interface Subject {
  readonly operation: FaultyOperation
  readonly client: Client
  /** The labels of its calls. */
  readonly labels: readonly string[]
}

/** A fault of an operation's calls with one label: an operation of DynamoDB, or "auth". */
interface Case {
  readonly subject: Subject
  readonly fault: Fault
  readonly label: string
}

/** Retries a 503 like a client. The machine may be busy, too. */
const insist = async (send: () => Promise<ApiResponse>): Promise<ApiResponse> => {
  let response = await send()
  for (let again = 0; response.status === 503 && again < 5; again += 1) response = await send()
  return response
}

let number = 0
const requestOf = (operation: FaultyOperation): FaultyRequest => {
  number += 1
  return operation.request(`${SENTINEL} ${number}`)
}

const send = (client: Client, { method, path, body }: FaultyRequest): Promise<ApiResponse> =>
  client.call(method, path, body ? { body } : {})

/** Prepares an operation and records the labels of its calls. */
const prepare = async (operation: FaultyOperation): Promise<Subject> => {
  const client = await newClient()
  const app = client.credentials.app_id
  await seed(client)
  forgetApplications()
  proxy.takeCalls(app)
  const { status } = await send(client, requestOf(operation))
  expect(status).toBe(200)
  return { operation, client, labels: [...new Set(['auth', ...proxy.takeCalls(app)])] }
}

let subjects: Subject[]
beforeAll(async () => {
  subjects = await Promise.all(operations.map(prepare))
})

/** Expects that invoices and their subscriptions exist together. */
const expectNothingHalfWritten = async (client: Client): Promise<void> => {
  const list = async (plural: string): Promise<Record<string, string>[]> => {
    const { details, json } = await insist(() => client.get(`/api/${plural}?limit=100`))
    expect(details).toEqual([])
    return json.data[plural]
  }
  const [invoices, subscriptions] = await Promise.all([list('invoices'), list('subscriptions')])
  const named = invoices.map(({ subscription_id }) => subscription_id)
  expect(named.toSorted()).toEqual(subscriptions.map(({ id }) => id).toSorted())
}

const expectRecorded = async (
  client: Client,
  { recorded }: FaultyRequest,
  response: ApiResponse,
): Promise<void> => {
  expect({ status: response.status, details: response.details }).toEqual({ status: 200, details: [] })
  if (recorded) expect((await insist(() => client.get(recorded))).json).toEqual(response.json)
}

/** Sends a request under a fault. On a busy machine, the request may time out before the faulty call. */
const attempt = async ({ subject, fault, label }: Case, calls: number) => {
  const { client, operation } = subject
  const app = client.credentials.app_id
  const request = requestOf(operation)
  if (label === 'auth') forgetApplications()
  proxy.inject(app, { label, fault: fault.wire, calls })
  const startedAt = performance.now() - stalledMillis()
  const response = await send(client, request)
  const millis = performance.now() - stalledMillis() - startedAt
  return { request, response, millis, met: proxy.heal(app) }
}

/** Sends requests until one is affected by the fault in `calls` calls. Returns its response. */
const meet = async (one: Case, calls: number) => {
  let meeting = await attempt(one, calls)
  for (let again = 0; meeting.met === 0 && again < 3; again += 1) meeting = await attempt(one, calls)
  const { response, met } = meeting
  expect(met).toBeGreaterThan(0)
  const shown = JSON.stringify([response.json, [...response.headers]])
  expect(shown).not.toContain(INSIDE)
  expect(shown).not.toContain(one.subject.client.credentials.api_key)
  if (response.status !== 200) expect(shown).not.toContain(SENTINEL)
  return meeting
}

/** Expects that a temporary fault has no effect on the response, which is not a replay: no earlier request recorded it. */
const survives = async (one: Case, calls: number): Promise<void> => {
  const { request, response } = await meet(one, calls)
  expect(response.headers.get('idempotent-replayed')).toBeNull()
  await expectRecorded(one.subject.client, request, response)
}

/** Expects that a lasting fault ends in time with an error without internals and leaves nothing half written, and that a retry completes the request. */
const failsCleanly = async (one: Case): Promise<void> => {
  const { client } = one.subject
  const { request, response, millis } = await meet(one, Number.POSITIVE_INFINITY)
  const expectWhole = () => request.method !== 'GET' && expectNothingHalfWritten(client)
  expect(response.status).toBe(one.fault.status)
  // 5 s with the real budget
  expect(millis).toBeLessThan(budget.request + 1_000)
  await expectWhole()
  await expectRecorded(client, request, await insist(() => send(client, request)))
  await expectWhole()
}

/**
 * Returns the calls of an operation that a fault affects: all in the long form. In the short form, each operation hangs at
 * one call, loses the acknowledgement of its write, and meets some of the other faults, each at another call.
 */
const labelsFor = ({ labels }: Subject, fault: Fault, operation: number): string[] => {
  const possible = labels.filter((label) => fault.labels?.includes(label) ?? true)
  if (long) return possible
  if (fault.name === 'reset after commit') return possible.filter((label) => writes.includes(label))
  const turn = operation + faults.indexOf(fault)
  // Few operations make a call of one label.
  const spread = fault.name === 'hang' || fault.labels?.length === 1 ? 1 : 3
  const one = turn % spread === 0 ? Math.floor(turn / spread) % possible.length : undefined
  return possible.filter((_, index) => index === one)
}

/**
 * Runs so many operations in parallel, by default all, and the cases of each one after another. Fails with all failures
 * listed.
 */
const everyOperation = async (
  some: readonly Fault[],
  run: (one: Case) => Promise<void>,
  atOnce = subjects.length,
) => {
  const failures: string[] = []
  const casesOf = async (subject: Subject, index: number) => {
    for (const fault of some)
      for (const label of labelsFor(subject, fault, index))
        await run({ subject, fault, label }).catch(({ message }: Error) =>
          failures.push(`${fault.name} at ${label} of ${subject.operation.name}: ${message}`),
        )
  }
  for (let from = 0; from < subjects.length; from += atOnce)
    await Promise.all(
      subjects.slice(from, from + atOnce).map((subject, index) => casesOf(subject, from + index)),
    )
  expect(failures).toEqual([])
}

const quick = faults.filter(({ slow }) => !slow)
const slow = faults.filter((fault) => fault.slow)
const times = Array.from({ length: budget.attempts - 1 }, (_, index) => index + 1)

describe('between handler and database', () => {
  it('faults are tested for every operation of the API', () => {
    const names = operations.map(({ name }) => name.split(',')[0])
    expect([...new Set(names)].toSorted()).toEqual(catalogue.map(({ id }) => id).toSorted())
  })

  it('a temporary fault, such as a lost acknowledgement, has no effect', async () => {
    enlargeBudget()
    await everyOperation(
      quick.filter(({ retried }) => retried),
      async (one) => {
        for (const calls of long ? times : [1 + (faults.indexOf(one.fault) % times.length)])
          await survives(one, calls)
      },
    )
  })

  it('a temporary fault that uses up the time of an attempt has no effect', async () => {
    setBudget({ ...shortBudget, request: 5_400, attempt: 1_700, connect: 1_000 })
    if (!long) setBudget({ attempt: 600 })
    await everyOperation(slow, (one) => survives(one, 1))
  })

  it('a permanent fault causes 503 or 500, and a retry completes the request', async () => {
    enlargeBudget()
    await everyOperation(quick, failsCleanly)
  })

  it('a permanent fault that uses up the time causes 503 in time, and a retry completes the request', async () => {
    setBudget(shortBudget)
    // A process sends at most 16 queries at a time (MAX_QUERIES). If more operations hung in theirs, retries of others
    // would wait for them, and run out of time.
    await everyOperation(slow, failsCleanly, 12)
  })
})
