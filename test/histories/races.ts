import { setTimeout as pause } from 'node:timers/promises'
import { serverIdFor } from '../../shared/ids.ts'
import type { Credentials } from '../../shared/store/credentials.ts'
import { newApiKey } from '../../shared/store/credentials.ts'
import { anonymous } from '../support/bodies.ts'
import { upTo } from '../support/lists.ts'
import type { Random } from './random.ts'
import { type Intent, micros, newRecorder, type Operation, type Recorder, type Request } from './recorder.ts'
import { KEY_CACHE_MILLIS, type ServiceProcess } from './service.ts'

/** Where a race takes place. */
export interface Course {
  readonly history: Operation[]
  readonly random: Random
  readonly credentials: Credentials
  /** The processes that take part. */
  readonly processes: readonly ServiceProcess[]
}

/** A client, whose choices do not depend on the others. */
export interface Client {
  readonly name: string
  readonly random: Random
  readonly recorder: Recorder
}

/** Returns a client of the processes of a course. */
export const newClient = ({ history, processes, random }: Course, name: string): Client => {
  const own = random.of(name)
  return { name, random: own, recorder: newRecorder(history, processes, own) }
}

const clientsOf = (course: Course, count: number): Client[] =>
  upTo(count).map((each) => newClient(course, `client ${each}`))

/** Lets clients act at once, each several times in a row. */
const race = (clients: readonly Client[], acts: number, act: (client: Client) => Promise<unknown>) =>
  Promise.all(
    clients.map(async (client) => {
      for (const _ of upTo(acts)) {
        await pause(client.random.number(30))
        await act(client)
      }
    }),
  )

const texts = (values: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value !== null && typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  )

/** Returns what the judge compares of a customer. */
export const shownOfCustomer = ({ name, email, metadata }: Record<string, object>) =>
  texts({ name, email, metadata })

/** Races for one customer. Returns the customer's read, for the end of the history. */
export const raceForCustomer = async (course: Course, name: string, clients = 4) => {
  const { credentials } = course
  const external = `c${name}`
  const id = serverIdFor(credentials.app_id, 'cus', external)
  const history = { kind: 'customer', key: `customer ${external}` } as const
  const list = `customers of ${credentials.app_id}`
  const path = '/api/customers'
  let version = 0
  const value = (name: string) => {
    version += 1
    return `${name}${version}`
  }
  const whole = () => ({ name: value('n'), email: value('e'), metadata: { v: version } })
  const first = whole()
  type Body = Record<string, unknown>
  const put = (body?: Body): [Intent['op'], object, Request] => [
    body ? 'update' : 'erase',
    body ?? anonymous,
    { method: 'PUT', path: `${path}/${external}`, ...(body ? { body: { id: external, ...body } } : {}) },
  ]
  const post = (op: 'create' | 'upsert', body: Body): [Intent['op'], object, Request] => [
    op,
    body,
    { path: op === 'upsert' ? `${path}?on_conflict=update` : path, body: { id: external, ...body } },
  ]
  const get = ({ random }: Client): [Intent['op'], object, Request] => [
    'read',
    {},
    { method: 'GET', path: `${path}/${random.choose(external, id)}` },
  ]
  const shownBy = (json: { data: { customer: Record<string, object> } }) =>
    shownOfCustomer(json.data.customer)
  const carryOut = (client: Client, [op, fields, request]: ReturnType<typeof get>) => {
    const intent = { ...history, client: client.name, op, list, id, input: { fields: texts(fields) } }
    return client.recorder.record(intent, { ...request, credentials }, shownBy)
  }
  const act = (client: Client) =>
    carryOut(
      client,
      client.random.choose(
        ...[() => put({ name: value('n') }), () => put({ email: value('e') }), () => put({ name: null })],
        ...[() => put({ metadata: { v: value('m') } }), put],
        ...[() => get(client), () => get(client), () => get(client)],
        ...[() => post('upsert', whole()), () => post('create', first), () => post('create', whole())],
      )(),
    )
  await carryOut(newClient(course, 'start'), post('create', first))
  await race(clientsOf(course, clients), 3, act)
  const readAtEnd = async (at = 'end') => {
    const client = newClient(course, at)
    while ((await carryOut(client, get(client))) === 'unknown') await pause(50)
  }
  await readAtEnd()
  return { history, id, readAtEnd, shownOf: shownOfCustomer }
}

/** Creates the customer of all subscriptions. */
export const createPayer = async (course: Course): Promise<void> => {
  const { credentials } = course
  const { recorder } = newClient(course, 'start')
  const id = serverIdFor(credentials.app_id, 'cus', 'me')
  const list = `customers of ${credentials.app_id}`
  const intent = {
    kind: 'customer',
    key: `payer of ${list}`,
    client: 'start',
    op: 'create',
    list,
    id,
  } as const
  const request = { credentials, path: '/api/customers', body: { id: 'me' } }
  while ((await recorder.record(intent, request)) !== 'ok');
}

const day = (from: number): string => new Date(Date.UTC(2024, 0, 1 + from)).toISOString().slice(0, 10)
const seconds = (date: string): string => String(Date.parse(date) / 1_000)

/** Races for one subscription. Returns its read, for the end of the history. */
export const raceForSubscription = async (course: Course, name: string) => {
  const { credentials, random } = course
  const app = credentials.app_id
  const external = `s${name}`
  const history = { kind: 'subscription', key: `subscription ${external}` } as const
  const ranks = new Map<string, string>()
  const invoices = upTo(8).map((each) => {
    const [end, created] = [day(40 + Math.floor(random.number(6))), day(Math.floor(random.number(9)))]
    const id = serverIdFor(app, 'inv', `${external}-${each}`)
    ranks.set(id, [seconds(end), seconds(day(9)), seconds(created), id].join('/'))
    const body = {
      id: `${external}-${each}`,
      customer_id: 'me',
      subscription_id: external,
      total: 1,
      currency: 'EUR',
    }
    return { number: each, id, created, body: { ...body, period_start: day(9), period_end: end, created } }
  })
  const shownOf = ({ latest_invoice_id, created }: Record<string, unknown>) =>
    texts({ rank: ranks.get(String(latest_invoice_id)) ?? 'unknown', created })
  const list = `invoices of ${app}`
  const bill = (client: Client) => {
    const invoice = client.random.choose(...invoices)
    const fields = { rank: ranks.get(invoice.id)!, created: seconds(invoice.created) }
    const intent = {
      ...history,
      client: client.name,
      op: 'bill',
      list,
      id: invoice.id,
      input: { number: invoice.number, fields },
    }
    return client.recorder.record(intent, { credentials, path: '/api/invoices', body: invoice.body })
  }
  const readInvoice = (client: Client) => {
    const invoice = client.random.choose(...invoices)
    const request = { credentials, method: 'GET', path: `/api/invoices/${invoice.id}` } as const
    const intent = { ...history, client: client.name, op: 'read invoice', input: { number: invoice.number } }
    return client.recorder.record(intent, request)
  }
  const id = serverIdFor(app, 'sub', external)
  const read = ({ recorder, random: own, name: client }: Client) =>
    recorder.record(
      { ...history, client, op: 'read' },
      { credentials, method: 'GET', path: `/api/subscriptions/${own.choose(external, id)}` },
      (json) => shownOf(json.data.subscription),
    )
  const acts = [bill, bill, bill, readInvoice, read]
  await race(clientsOf(course, 4), 4, (client) => client.random.choose(...acts)(client))
  const readAtEnd = async (at = 'end') => {
    const client = newClient(course, at)
    while ((await read(client)) === 'unknown') await pause(50)
  }
  await readAtEnd()
  return { history, id, readAtEnd, shownOf }
}

/** The milliseconds for which an expiring key works, and for which clocks may disagree about it. */
const LIFETIME = 1_500
const NEAR = 4_000

/** Races for an application: commands change it and its keys, and requests use them. */
export const raceForApplication = async (course: Course) => {
  const { credentials } = course
  const app = credentials.app_id
  const history = { kind: 'application', key: `application ${app}` } as const
  const keys = [{ number: 0, apiKey: credentials.api_key, passed: Number.POSITIVE_INFINITY }]
  const command = (
    { recorder, name: client }: Client,
    op: string,
    more: object = {},
    key = 0,
  ): Promise<unknown> => {
    const request = { path: `/commands/${op}`, body: { app, ...more } }
    return recorder.record({ ...history, client, op, input: { number: key } }, request)
  }
  const add = async (client: Client) => {
    const key = { number: keys.length, apiKey: newApiKey(), passed: Number.POSITIVE_INFINITY }
    keys.push(key)
    const lifetime = client.random.choose(undefined, LIFETIME)
    await command(client, 'add', { apiKey: key.apiKey, lifetime }, key.number)
    if (lifetime) key.passed = micros() + (LIFETIME + NEAR) * 1_000
  }
  const revoke = async (client: Client) => {
    const { apiKey, number } = client.random.choose(...keys)
    // The first key is not revoked, so that requests go on.
    if (number > 0) await command(client, 'revoke', { apiKey }, number)
  }
  const request = ({ recorder, random, name: client }: Client): Promise<unknown> => {
    const { apiKey, number, passed } = random.choose(...keys)
    // A key that expires may be refused at any time before.
    const expiry = passed < micros() ? 'passed' : number === 0 ? 'never' : 'near'
    return recorder.record(
      {
        ...history,
        client,
        op: 'request',
        input: { number, delay: (KEY_CACHE_MILLIS + 100) * 1_000, fields: { expiry } },
      },
      { method: 'GET', path: '/api/products?limit=1', credentials: { app_id: app, api_key: apiKey } },
    )
  }
  const disable = (client: Client) => command(client, 'disable')
  const enable = (client: Client) => command(client, 'enable')
  const users = upTo(3).map((each) => newClient(course, `user ${each}`))
  const acts = [add, revoke, disable, disable, enable, enable, enable]
  await Promise.all([
    race(clientsOf(course, 2), 4, (client) => client.random.choose(...acts)(client)),
    race(users, 12, request),
  ])
  await pause(LIFETIME + NEAR)
  await enable(newClient(course, 'end'))
  await race(users, 3, request)
}
