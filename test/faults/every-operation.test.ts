import { budget } from '../../shared/budget.ts'
import { catalogue } from '../../shared/catalogue.ts'
import { currentService } from '../../shared/store/service.ts'
import { ampleBudget, setBudget, shortBudget } from '../support/budgets.ts'
import { serveWithFaults, type WireFault } from '../support/database/fault-proxy.ts'
import { runningMillis } from '../support/database/running-time.ts'
import { type Fault, INTERNAL_TEXT, wireFaults, writeLabels } from '../support/database/wire-faults.ts'
import { inParallel } from '../support/in-parallel.ts'
import { range } from '../support/range.ts'
import { type ApiResponse, type Client, newClient, SENTINEL } from '../support/requests/service.ts'
import { type FaultyOperation, type FaultyRequest, operations, recordExamples } from './operations.ts'

/**
 * Every operation of the API meets every fault of the database and of the connection to it.
 *
 * A case is one fault at one call of one operation: a command of DynamoDB, or "auth", the look-up of the API key. The first
 * test of a fault lets it end before the last attempt: the response and the record are as without it. The second one lets
 * it last: the response is 503 or 500, arrives in time and reveals nothing internal, nothing is half written, and the same
 * request succeeds afterwards. `npm test` runs a part of the cases, and `npm run test:long` all.
 */

const long = Boolean(process.env.LONG)

const proxy = serveWithFaults()

/** An operation with an application of its own, in which the examples are recorded, and the labels of its calls. */
interface Subject {
  readonly operation: FaultyOperation
  readonly client: Client
  readonly labels: readonly string[]
}

interface Case extends Subject {
  readonly fault: Fault
  /** The label of the calls that meet the fault. */
  readonly label: string
}

const send = (client: Client, { method, path, body }: FaultyRequest): Promise<ApiResponse> =>
  client.call(method, path, body ? { body } : {})

/** Sends a request, and again after a 503, since the machine may be busy. */
const sendWithRetries = async (client: Client, request: FaultyRequest): Promise<ApiResponse> => {
  let response = await send(client, request)
  for (let retry = 0; response.status === 503 && retry < 5; retry += 1) response = await send(client, request)
  return response
}

const get = (client: Client, path: string) => sendWithRetries(client, { method: 'GET', path })

let number = 0
const newRequest = (operation: FaultyOperation): FaultyRequest => {
  number += 1
  return operation.request(`${SENTINEL} ${number}`)
}

const newSubject = async (operation: FaultyOperation): Promise<Subject> => {
  const client = await newClient()
  const app = client.credentials.app_id
  await recordExamples(client)
  currentService().keyCache.clear()
  proxy.takeCalls(app)
  expect((await send(client, newRequest(operation))).status).toBe(200)
  return { operation, client, labels: [...new Set(proxy.takeCalls(app))] }
}

let subjects: Subject[]
beforeAll(async () => {
  subjects = await inParallel(operations, newSubject, 4)
})

/** What a request made of a fault: the response, and the time until it came. */
interface Outcome {
  readonly request: FaultyRequest
  readonly response: ApiResponse
  readonly millis: number
}

/** Sends a new request while a fault affects its next `calls` calls. Expects that nothing internal is in the response. */
const sendDuring = async (
  { operation, client, label }: Case,
  fault: WireFault,
  calls: number,
): Promise<Outcome> => {
  const app = client.credentials.app_id
  // On a busy machine, a request may run out of time before the call.
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    const request = newRequest(operation)
    if (label === 'auth') currentService().keyCache.clear()
    proxy.inject(app, { label, fault, calls })
    const startedAt = runningMillis()
    const response = await send(client, request)
    const millis = runningMillis() - startedAt
    if (proxy.heal(app) === 0) continue
    const shown = JSON.stringify([response.json, [...response.headers]])
    expect(shown).not.toContain(INTERNAL_TEXT)
    expect(shown).not.toContain(client.credentials.api_key)
    if (response.status !== 200) expect(shown).not.toContain(SENTINEL)
    return { request, response, millis }
  }
  throw new Error('the fault affected no call')
}

const expectSuccess = async (client: Client, { recorded }: FaultyRequest, response: ApiResponse) => {
  expect({ status: response.status, details: response.details }).toEqual({ status: 200, details: [] })
  if (recorded) expect((await get(client, recorded)).json).toEqual(response.json)
}

/** Expects that each invoice has its subscription, and each subscription its invoice. */
const expectNothingHalfWritten = async (client: Client) => {
  const invoices = (await get(client, '/api/invoices?limit=100')).json.data.invoices
  const subscriptions = (await get(client, '/api/subscriptions?limit=100')).json.data.subscriptions
  const named = invoices.map(({ subscription_id }: Record<string, string>) => subscription_id)
  expect(named.sort()).toEqual(subscriptions.map(({ id }: Record<string, string>) => id).sort())
}

/** Expects that a fault that ended before the last attempt had no effect. */
const expectNoEffect = async ({ client }: Case, { request, response }: Outcome): Promise<void> => {
  // A replay would mean that an earlier request has recorded it.
  expect(response.headers.get('idempotent-replayed')).toBeNull()
  await expectSuccess(client, request, response)
}

/** Expects that a fault that lasted failed the request as a whole and in time, and that a retry completes it. */
const expectCleanFailure = async (
  { client, fault }: Case,
  { request, response, millis }: Outcome,
): Promise<void> => {
  expect(response.status).toBe(fault.status)
  // 5 s with the real budget
  expect(millis).toBeLessThan((fault.slow ? shortBudget : ampleBudget).request! + 1_000)
  if (request.method !== 'GET') await expectNothingHalfWritten(client)
  await expectSuccess(client, request, await sendWithRetries(client, request))
  if (request.method !== 'GET') await expectNothingHalfWritten(client)
}

/**
 * Returns the labels of the calls to test a fault at. In the short form, these are every write for a lost acknowledgement;
 * one call of each operation for a hang and for faults that few calls can meet; and one call of every third operation for
 * the other faults.
 */
const labelsFor = ({ labels }: Subject, index: number, fault: Fault): readonly string[] => {
  const possible = labels.filter((label) => fault.labels?.includes(label) ?? true)
  if (long) return possible
  if (fault.name === 'reset after commit') return possible.filter((label) => writeLabels.includes(label))
  const turn = index + wireFaults.indexOf(fault)
  if (turn % 3 > 0 && !fault.labels && fault.name !== 'hang') return []
  return possible.filter((_, at) => at === Math.floor(turn / 3) % possible.length)
}

/** Groups the cases of a fault into rounds with at most one case per operation. */
const roundsOf = (fault: Fault): Case[][] => {
  const cases = subjects.map((subject, index) =>
    labelsFor(subject, index, fault).map((label) => ({ ...subject, fault, label })),
  )
  const count = Math.max(...cases.map(({ length }) => length))
  return range(count).map((round) => cases.flatMap((each) => each.slice(round, round + 1)))
}

/** Sends the requests of the cases of a round, all at once, while they meet a fault. */
type Sending = (cases: readonly Case[]) => Promise<Outcome>[]

/**
 * Checks what comes of requests of all operations that meet a fault. Fails with a list of all that failed. The checks have
 * an ample budget, since a fault that uses up a short one is over by then.
 */
const forEveryOperation = async (
  fault: Fault,
  sendAll: Sending,
  check: (one: Case, outcome: Outcome) => Promise<void>,
): Promise<void> => {
  const failures: string[] = []
  const rounds = roundsOf(fault)
  for (const cases of rounds) {
    // Fewer of them query than a process may at once (MAX_QUERIES), so none waits for queries of others that hang.
    const sent = sendAll(cases)
    await Promise.allSettled(sent)
    setBudget(ampleBudget)
    const checkOne = (one: Case, index: number) =>
      sent[index]!.then((outcome) => check(one, outcome)).catch(({ message }: Error) =>
        failures.push(`${one.label} of ${one.operation.name}: ${message}`),
      )
    await Promise.all(cases.map(checkOne))
  }
  expect(failures).toEqual([])
  expect(rounds.length).toBeGreaterThan(0)
}

it('every operation of the API is tested under faults', () => {
  const names = operations.map(({ name }) => name.split(',')[0])
  expect([...new Set(names)].toSorted()).toEqual(catalogue.map(({ id }) => id).toSorted())
})

it.each(wireFaults.filter(({ retried }) => retried))(
  'a temporary fault has no effect on a request: $name',
  (fault) => {
    const sendAll: Sending = (cases) => {
      if (!fault.slow) return cases.map((one) => sendDuring(one, fault.wire, budget.maxAttempts - 1))
      // One attempt of each request uses up its time. When all have met the fault, those after it have ample time.
      setBudget({ attempt: long ? 1_700 : 600 })
      let left = cases.length
      const once: WireFault = (call) => {
        left -= 1
        if (left === 0) setBudget(ampleBudget)
        return fault.wire(call)
      }
      return cases.map((one) => sendDuring(one, once, 1))
    }
    return forEveryOperation(fault, sendAll, expectNoEffect)
  },
)

it.each(wireFaults)(
  'a lasting fault fails a request with $status in time, and a retry completes it: $name',
  (fault) => {
    const sendAll: Sending = (cases) => {
      setBudget(fault.slow ? shortBudget : ampleBudget)
      return cases.map((one) => sendDuring(one, fault.wire, Number.POSITIVE_INFINITY))
    }
    return forEveryOperation(fault, sendAll, expectCleanFailure)
  },
)
