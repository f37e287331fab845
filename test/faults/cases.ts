import { FUNCTION_TIMEOUT_MILLIS } from '../../shared/budget.ts'
import { forgetApplications } from '../../shared/store/authorisation.ts'
import type { FaultProxy } from '../support/fault-proxy.ts'
import { type Answer, type Client, newClient, SENTINEL } from '../support/service.ts'
import { stalledMillis } from '../support/stalls.ts'
import { type Fault, INSIDE } from '../support/wire-faults.ts'
import type { FaultyOperation, FaultyRequest } from './operations.ts'

/** The maximum latency of an answer, in milliseconds. */
const ANSWER_MILLIS = FUNCTION_TIMEOUT_MILLIS - 1_000

/** A fault of the calls with one label: an operation of DynamoDB, or "auth". */
interface At {
  readonly fault: Fault
  readonly label: string
}

/** An operation with its own application, whose cases run one after another. */
export interface Subject {
  readonly operation: FaultyOperation
  readonly client: Client
  /** The labels of its calls. */
  readonly labels: readonly string[]
}

/** Retries a 503 like a client. The machine may be busy, too. */
const insist = async (send: () => Promise<Answer>): Promise<Answer> => {
  let answer = await send()
  for (let again = 0; answer.status === 503 && again < 5; again += 1) answer = await send()
  return answer
}

let number = 0
const requestOf = (operation: FaultyOperation): FaultyRequest => {
  number += 1
  return operation.request(`${SENTINEL} ${number}`)
}

const send = (client: Client, { method, path, body }: FaultyRequest): Promise<Answer> =>
  client.call(method, path, body ? { body } : {})

/** Prepares an operation and records the labels of its calls. */
export const prepare = async (proxy: FaultProxy, operation: FaultyOperation): Promise<Subject> => {
  const client = await newClient()
  const app = client.credentials.app_id
  await operation.seed(client)
  forgetApplications()
  proxy.takeCalls(app)
  const { status } = await send(client, requestOf(operation))
  expect(status).toBe(200)
  return { operation, client, labels: [...new Set(['auth', ...proxy.takeCalls(app)])] }
}

/** Returns the labels of an operation's calls that a fault can affect. */
export const labelsFor = ({ labels }: Pick<Subject, 'labels'>, fault: Fault): string[] =>
  labels.filter((label) => fault.labels?.includes(label) ?? true)

/** Expects that invoices and their subscriptions exist together. */
const expectNothingHalfWritten = async (client: Client): Promise<void> => {
  const [invoices, subscriptions] = await Promise.all([
    insist(() => client.get('/api/invoices?limit=100')),
    insist(() => client.get('/api/subscriptions?limit=100')),
  ])
  expect([...invoices.details, ...subscriptions.details]).toEqual([])
  const named = invoices.json.data.invoices.map(
    ({ subscription_id }: { subscription_id: string }) => subscription_id,
  )
  const there = subscriptions.json.data.subscriptions.map(({ id }: { id: string }) => id)
  expect(named.toSorted()).toEqual(there.toSorted())
}

const expectRecorded = async (client: Client, { recorded }: FaultyRequest, answer: Answer): Promise<void> => {
  expect({ status: answer.status, details: answer.details }).toEqual({ status: 200, details: [] })
  if (recorded) expect((await insist(() => client.get(recorded))).json).toEqual(answer.json)
}

/** Sends a request under a fault. On a busy machine, the request may time out before the faulty call. */
const attempt = async (proxy: FaultProxy, { client, operation }: Subject, at: At & { calls: number }) => {
  const app = client.credentials.app_id
  const request = requestOf(operation)
  if (at.label === 'auth') forgetApplications()
  proxy.inject(app, { label: at.label, fault: at.fault.wire, calls: at.calls })
  const startedAt = performance.now() - stalledMillis()
  const answer = await send(client, request)
  const millis = performance.now() - stalledMillis() - startedAt
  return { request, answer, millis, met: proxy.heal(app) }
}

/** Sends requests until one is affected by the fault in `calls` calls. Returns its answer. */
const meet = async (proxy: FaultProxy, subject: Subject, at: At & { calls: number }) => {
  let meeting = await attempt(proxy, subject, at)
  for (let again = 0; meeting.met === 0 && again < 3; again += 1) meeting = await attempt(proxy, subject, at)
  const { answer, met } = meeting
  expect(met).toBeGreaterThan(0)
  const said = JSON.stringify([answer.json, [...answer.headers]])
  expect(said).not.toContain(INSIDE)
  expect(said).not.toContain(subject.client.credentials.api_key)
  if (answer.status !== 200) expect(said).not.toContain(SENTINEL)
  return meeting
}

/** Expects that a temporary fault has no effect on the answer. */
export const survives = async (proxy: FaultProxy, subject: Subject, at: At & { calls: number }) => {
  const { request, answer } = await meet(proxy, subject, at)
  await expectRecorded(subject.client, request, answer)
}

/** Expects that a lasting fault is answered in time without internals and leaves nothing half written, and that a retry completes the request. */
export const failsCleanly = async (proxy: FaultProxy, subject: Subject, at: At) => {
  const { client } = subject
  const { request, answer, millis } = await meet(proxy, subject, { ...at, calls: Number.POSITIVE_INFINITY })
  expect(answer.status).toBe(at.fault.status)
  expect(millis).toBeLessThan(ANSWER_MILLIS)
  await expectNothingHalfWritten(client)
  await expectRecorded(client, request, await insist(() => send(client, request)))
  await expectNothingHalfWritten(client)
}
