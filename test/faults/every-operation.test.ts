import { budget } from '../../shared/budget.ts'
import { catalogue } from '../../shared/catalogue.ts'
import { currentService } from '../../shared/store/service.ts'
import { ampleBudget, setBudget, shortBudget } from '../support/budgets.ts'
import { serveWithFaults, type WireFault } from '../support/database/fault-proxy.ts'
import { runningMillis } from '../support/database/running-time.ts'
import { type Fault, INTERNAL_TEXT, wireFaults, writeLabels } from '../support/database/wire-faults.ts'
import { inParallel } from '../support/in-parallel.ts'
import { range } from '../support/range.ts'
import { isReplay } from '../support/requests/create-responses.ts'
import { type ApiResponse, type Client, newClient, SENTINEL } from '../support/requests/service.ts'
import { type FaultyOperation, type FaultyRequest, operations, recordMarkedExamples } from './operations.ts'

/**
 * Tests every operation of the API under every fault of the database and of the connection to it.
 *
 * A case is one fault of one call of one operation. The call is a command of DynamoDB, or "auth", the look-up
 * of the API key.
 *
 * - In the first test of a fault, the fault ends before the last attempt. The response and the record are as
 *   without it.
 * - In the second test, the fault lasts. The response is 503 or 500, arrives in time and reveals nothing
 *   internal. Nothing is half written, and the same request succeeds afterwards.
 *
 * `npm test` runs a part of the cases, and `npm run test:long` runs all of them.
 */

const isLongRun = Boolean(process.env.LONG)

const proxy = serveWithFaults()

interface Subject {
  readonly operation: FaultyOperation
  readonly client: Client
  readonly labels: readonly string[]
}

interface Case extends Subject {
  readonly fault: Fault
  readonly label: string
}

const send = (client: Client, { method, path, body }: FaultyRequest): Promise<ApiResponse> =>
  client.call(method, path, body ? { body } : {})

const sendWithRetries = async (client: Client, request: FaultyRequest): Promise<ApiResponse> => {
  let response = await send(client, request)
  for (let retry = 0; response.status === 503 && retry < 5; retry += 1) response = await send(client, request)
  return response
}

const get = (client: Client, path: string) => sendWithRetries(client, { method: 'GET', path })

let requestCount = 0
const newRequest = (operation: FaultyOperation): FaultyRequest => {
  requestCount += 1
  return operation.request(`${SENTINEL} ${requestCount}`)
}

const newSubject = async (operation: FaultyOperation): Promise<Subject> => {
  const client = await newClient()
  const app = client.credentials.app_id
  await recordMarkedExamples(client)
  currentService().keyCache.clear()
  proxy.takeCalls(app)
  expect((await send(client, newRequest(operation))).status).toBe(200)
  return { operation, client, labels: [...new Set(proxy.takeCalls(app))] }
}

let subjects: Subject[]
beforeAll(async () => {
  subjects = await inParallel(operations, newSubject, 4)
})

interface Outcome {
  readonly request: FaultyRequest
  readonly response: ApiResponse
  readonly millis: number
}

/** While a fault affects the request's next `calls` calls. The response must contain nothing internal. */
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

/** Only a create of an invoice writes two entities. */
const expectNothingHalfWritten = async ({ operation, client }: Subject): Promise<void> => {
  if (operation.name !== 'invoices.create') return
  const invoices = (await get(client, '/api/invoices?limit=100')).json.data.invoices
  const subscriptions = (await get(client, '/api/subscriptions?limit=100')).json.data.subscriptions
  const named = invoices.map(({ subscription_id }: Record<string, string>) => subscription_id)
  expect(named.sort()).toEqual(subscriptions.map(({ id }: Record<string, string>) => id).sort())
}

/** Expects a fault that ended before the last attempt to have had no effect. */
const expectNoEffect = async ({ client }: Case, { request, response }: Outcome): Promise<void> => {
  // A replay would mean that an earlier request had recorded the entity.
  expect(isReplay(response)).toBe(false)
  await expectSuccess(client, request, response)
}

/**
 * Expects a fault that lasted to have failed the request as a whole and in time, and expects a retry to
 * complete it.
 */
const expectCleanFailure = async (tested: Case, { request, response, millis }: Outcome): Promise<void> => {
  const { client, fault } = tested
  expect(response.status).toBe(fault.status)
  // With the real budget, this is 5 s.
  expect(millis).toBeLessThan((fault.slow ? shortBudget : ampleBudget).request! + 1_000)
  await expectNothingHalfWritten(tested)
  await expectSuccess(client, request, await sendWithRetries(client, request))
  await expectNothingHalfWritten(tested)
}

/**
 * Returns the labels of the calls of an operation to which a fault is applied: in a long run, all calls that
 * it can affect. In a short run, a lost acknowledgement affects every write. A fault that only few commands can have affects
 * one call of each operation, and every other fault one call of every fifth operation.
 */
const labelsFor = ({ labels }: Subject, index: number, fault: Fault): readonly string[] => {
  const possible = labels.filter((label) => fault.labels?.includes(label) ?? true)
  if (isLongRun) return possible
  if (fault.name === 'reset after commit') return possible.filter((label) => writeLabels.includes(label))
  // The turns spread the faults over the operations and their calls.
  const turn = index + wireFaults.indexOf(fault)
  if (turn % 5 > 0 && fault.labels === undefined) return []
  return possible.filter((_, position) => position === Math.floor(turn / 5) % possible.length)
}

const roundsOf = (fault: Fault): Case[][] => {
  const cases = subjects.map((subject, index) =>
    labelsFor(subject, index, fault).map((label) => ({ ...subject, fault, label })),
  )
  const count = Math.max(...cases.map(({ length }) => length))
  return range(count).map((round) => cases.flatMap((ofOperation) => ofOperation.slice(round, round + 1)))
}

type SendAll = (cases: readonly Case[]) => Promise<Outcome>[]

/**
 * Sends requests of all operations during a fault, and checks each outcome. Fails with a list of all checks
 * that failed. The checks have an ample time budget, because the fault is over by then.
 */
const forEveryOperation = async (
  fault: Fault,
  sendAll: SendAll,
  check: (tested: Case, outcome: Outcome) => Promise<void>,
): Promise<void> => {
  const failures: string[] = []
  const rounds = roundsOf(fault)
  for (const cases of rounds) {
    // A round has fewer queries than a process may send at once (MAX_QUERIES), so no query waits for others
    // that hang.
    const sent = sendAll(cases)
    await Promise.allSettled(sent)
    setBudget(ampleBudget)
    const checkCase = async (tested: Case, index: number) => {
      try {
        await check(tested, await sent[index]!)
      } catch (error) {
        failures.push(`${tested.label} of ${tested.operation.name}: ${(error as Error).message}`)
      }
    }
    await Promise.all(cases.map(checkCase))
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
    const sendAll: SendAll = (cases) => {
      if (!fault.slow) return cases.map((tested) => sendDuring(tested, fault.wire, budget.maxAttempts - 1))
      // The fault uses up the time of one attempt of each request. When it has affected all, later attempts
      // have ample time.
      setBudget({ attempt: isLongRun ? 1_700 : 600 })
      let unaffected = cases.length
      const faultWithShortBudget: WireFault = (call) => {
        unaffected -= 1
        if (unaffected === 0) setBudget(ampleBudget)
        return fault.wire(call)
      }
      return cases.map((tested) => sendDuring(tested, faultWithShortBudget, 1))
    }
    return forEveryOperation(fault, sendAll, expectNoEffect)
  },
)

it.each(wireFaults)(
  'a lasting fault fails a request with $status in time, and a retry completes it: $name',
  (fault) => {
    const sendAll: SendAll = (cases) => {
      setBudget(fault.slow ? shortBudget : ampleBudget)
      return cases.map((tested) => sendDuring(tested, fault.wire, Number.POSITIVE_INFINITY))
    }
    return forEveryOperation(fault, sendAll, expectCleanFailure)
  },
)
