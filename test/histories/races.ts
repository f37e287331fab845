import { setTimeout as pause } from 'node:timers/promises'
import { serverIdFor } from '../../shared/ids.ts'
import type { Credentials } from '../../shared/store/credentials.ts'
import { newApiKey } from '../../shared/store/credentials.ts'
import { anonymous } from '../support/bodies.ts'
import { upTo } from '../support/lists.ts'
import type { Random } from './random.ts'
import type { Intent, Recorder, Request } from './recorder.ts'
import { KEY_CACHE_MILLIS, type ServiceProcess } from './service.ts'

/** Where a race takes place. */
export interface Course {
  readonly recorder: Recorder
  readonly random: Random
  readonly credentials: Credentials
  /** The processes that take part. */
  readonly processes: readonly ServiceProcess[]
}

/** Lets clients act at once, each several times in a row. */
const race = (clients: number, acts: number, act: (client: string) => Promise<unknown>, random: Random) =>
  Promise.all(
    upTo(clients).map(async (client) => {
      for (const _ of upTo(acts)) {
        await pause(random.number(80))
        await act(`client ${client}`)
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

let number = 0

/** Races for one customer. Returns the customer's read, for the end of the history. */
export const raceForCustomer = async ({ recorder, random, credentials, processes }: Course) => {
  number += 1
  const external = `c${number}`
  const id = serverIdFor(credentials.app_id, 'cus', external)
  const history = { kind: 'customer', key: `customer ${external}` } as const
  const list = `customers of ${credentials.app_id}`
  const path = '/api/customers'
  let version = 0
  const value = (name: string) => {
    version += 1
    return `${name}${version}`
  }
  const whole = () => ({ name: value('n'), email: random.choose(value('e'), null), metadata: { v: version } })
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
  const get = (): [Intent['op'], object, Request] => [
    'read',
    {},
    { method: 'GET', path: `${path}/${random.choose(external, id)}` },
  ]
  const options = {
    shownBy: (json: { data: { customer: Record<string, object> } }) => shownOfCustomer(json.data.customer),
    allowed: processes,
  }
  const carryOut = (client: string, [op, fields, request]: ReturnType<typeof get>) => {
    const intent = { ...history, client, op, list, id, input: { fields: texts(fields) } }
    return recorder.record(intent, { ...request, credentials }, options)
  }
  const act = (client: string) =>
    carryOut(
      client,
      random.choose(
        ...[() => put({ name: value('n') }), () => put({ email: value('e') }), () => put({ name: null })],
        ...[() => put({ metadata: { v: value('m') } }), put, put, get, get],
        ...[() => post('upsert', whole()), () => post('create', first), () => post('create', whole())],
      )(),
    )
  await carryOut('client 0', post('create', first))
  await race(3, 5, act, random)
  const readAtEnd = async (client = 'end') => {
    while ((await carryOut(client, get())) === 'unknown') await pause(50)
  }
  await readAtEnd()
  return { history, id, readAtEnd, shownOf: shownOfCustomer }
}

/** Creates the customer of all subscriptions. */
export const createPayer = async ({ recorder, credentials, processes: allowed }: Course): Promise<void> => {
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
  while ((await recorder.record(intent, request, { allowed })) !== 'ok');
}

const day = (from: number): string => new Date(Date.UTC(2024, 0, 1 + from)).toISOString().slice(0, 10)
const seconds = (date: string): string => String(Date.parse(date) / 1_000)

/** Races for one subscription. Returns its read, for the end of the history. */
export const raceForSubscription = async ({ recorder, random, credentials, processes }: Course) => {
  number += 1
  const app = credentials.app_id
  const external = `s${number}`
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
  const options = { allowed: processes }
  const list = `invoices of ${app}`
  const bill = (client: string) => {
    const invoice = random.choose(...invoices)
    const fields = { rank: ranks.get(invoice.id)!, created: seconds(invoice.created) }
    const intent = {
      ...history,
      client,
      op: 'bill',
      list,
      id: invoice.id,
      input: { number: invoice.number, fields },
    }
    return recorder.record(intent, { credentials, path: '/api/invoices', body: invoice.body }, options)
  }
  const readInvoice = (client: string) => {
    const invoice = random.choose(...invoices)
    const request = { credentials, method: 'GET', path: `/api/invoices/${invoice.id}` } as const
    const intent = { ...history, client, op: 'read invoice', input: { number: invoice.number } }
    return recorder.record(intent, request, options)
  }
  const id = serverIdFor(app, 'sub', external)
  const read = (client: string) =>
    recorder.record(
      { ...history, client, op: 'read' },
      { credentials, method: 'GET', path: `/api/subscriptions/${random.choose(external, id)}` },
      { ...options, shownBy: (json) => shownOf(json.data.subscription) },
    )
  await race(3, 6, (client) => random.choose(bill, bill, bill, readInvoice, read)(client), random)
  const readAtEnd = async (client = 'end') => {
    while ((await read(client)) === 'unknown') await pause(50)
  }
  await readAtEnd()
  return { history, id, readAtEnd, shownOf }
}

/** The milliseconds for which an expiring key works, and for which clocks may disagree about it. */
const LIFETIME = 1_500
const NEAR = 4_000

/** Races for an application: commands change it and its keys, and requests use them. */
export const raceForApplication = async ({ recorder, random, credentials, processes }: Course) => {
  number += 1
  const app = credentials.app_id
  const history = { kind: 'application', key: `application ${number}` } as const
  const keys = [{ number: 0, apiKey: credentials.api_key, passed: Number.POSITIVE_INFINITY }]
  const command = (client: string, op: string, more: object = {}, key = 0): Promise<unknown> => {
    const request = { path: `/commands/${op}`, body: { app, ...more } }
    return recorder.record({ ...history, client, op, input: { number: key } }, request, {
      allowed: processes,
    })
  }
  const add = async (client: string) => {
    const key = { number: keys.length, apiKey: newApiKey(), passed: Number.POSITIVE_INFINITY }
    keys.push(key)
    const lifetime = random.choose(undefined, LIFETIME)
    await command(client, 'add', { apiKey: key.apiKey, lifetime }, key.number)
    if (lifetime) key.passed = recorder.now() + (LIFETIME + NEAR) * 1_000
  }
  const revoke = async (client: string) => {
    const { apiKey, number } = random.choose(...keys)
    // The first key is not revoked, so that requests go on.
    if (number > 0) await command(client, 'revoke', { apiKey }, number)
  }
  const request = (client: string): Promise<unknown> => {
    const { apiKey, number, passed } = random.choose(...keys)
    // A key that expires may be refused at any time before.
    const expiry = passed < recorder.now() ? 'passed' : number === 0 ? 'never' : 'near'
    return recorder.record(
      {
        ...history,
        client,
        op: 'request',
        input: { number, delay: (KEY_CACHE_MILLIS + 100) * 1_000, fields: { expiry } },
      },
      { method: 'GET', path: '/api/products?limit=1', credentials: { app_id: app, api_key: apiKey } },
      { allowed: processes },
    )
  }
  const disable = (client: string) => command(client, 'disable')
  const enable = (client: string) => command(client, 'enable')
  const commands = race(
    2,
    6,
    (client) =>
      random.choose<(client: string) => Promise<unknown>>(
        add,
        revoke,
        disable,
        disable,
        enable,
        enable,
        enable,
      )(client),
    random,
  )
  await Promise.all([commands, race(3, 40, (client) => request(`user ${client}`), random)])
  await pause(LIFETIME + NEAR)
  await enable('end')
  await race(3, 6, (client) => request(`user ${client}`), random)
}
