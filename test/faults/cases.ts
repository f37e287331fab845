import { budget } from '../../shared/budget.ts'
import { forgetApplications } from '../../shared/store/authorisation.ts'
import type { FaultProxy } from '../support/fault-proxy.ts'
import { type ApiResponse, type Client, newClient, SENTINEL } from '../support/service.ts'
import { stalledMillis } from '../support/stalls.ts'
import { type Fault, INSIDE } from '../support/wire-faults.ts'
import type { FaultyOperation, FaultyRequest } from './operations.ts'

/** An operation with its own application, whose cases run one after another. */
export interface Subject {
  readonly operation: FaultyOperation
  readonly client: Client
  /** The labels of its calls. */
  readonly labels: readonly string[]
}

/** A fault of an operation's calls with one label: an operation of DynamoDB, or "auth". */
export interface Case {
  readonly proxy: FaultProxy
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
const attempt = async ({ proxy, subject, fault, label }: Case, calls: number) => {
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
  const said = JSON.stringify([response.json, [...response.headers]])
  expect(said).not.toContain(INSIDE)
  expect(said).not.toContain(one.subject.client.credentials.api_key)
  if (response.status !== 200) expect(said).not.toContain(SENTINEL)
  return meeting
}

/** Expects that a temporary fault has no effect on the response. */
export const survives = async (one: Case, calls: number): Promise<void> => {
  const { request, response } = await meet(one, calls)
  await expectRecorded(one.subject.client, request, response)
}

/** Expects that a lasting fault ends in time with an error without internals and leaves nothing half written, and that a retry completes the request. */
export const failsCleanly = async (one: Case): Promise<void> => {
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
