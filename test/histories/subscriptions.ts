import { serverIdFor } from '../../shared/ids.ts'
import { range } from '../support/range.ts'
import { type Client, type Course, newClient } from './client.ts'
import { type Subject, texts } from './races.ts'

const PAYER = 'payer'

export const createPayer = async (course: Course): Promise<void> => {
  const { credentials } = course
  const list = `customers of ${credentials.app_id}`
  const intent = { kind: 'customer', key: `payer of ${list}`, op: 'create', list } as const
  const { record } = newClient(course, 'start')
  const id = serverIdFor(credentials.app_id, 'cus', PAYER)
  const request = { credentials, path: '/api/customers', body: { id: PAYER } }
  let outcome = ''
  while (outcome !== 'ok') outcome = await record({ ...intent, id }, request)
}

/** After 1 January 2024. */
const day = (days: number): string => new Date(Date.UTC(2024, 0, 1 + days)).toISOString().slice(0, 10)
const seconds = (date: string): string => String(Date.parse(date) / 1_000)

/** Of eight invoices, which arrive in any order. */
export const newSubscription = (course: Course, external: string): Subject => {
  const { credentials, random } = course
  const app = credentials.app_id
  const history = { kind: 'subscription', key: `subscription ${external} of ${app}` } as const
  const ranks = new Map<string, string>()
  const invoices = range(8).map((number) => {
    const end = day(40 + Math.floor(random.number(6)))
    const created = day(Math.floor(random.number(9)))
    const own = `${external}-${number}`
    const id = serverIdFor(app, 'inv', own)
    ranks.set(id, [seconds(end), seconds(day(9)), seconds(created), id].join('/'))
    const dates = { period_start: day(9), period_end: end, created }
    const references = { customer_id: PAYER, subscription_id: external }
    return { number, id, body: { id: own, ...references, ...dates, total: 1, currency: 'EUR' } }
  })
  const shownOf = ({ latest_invoice_id: latest, created }: Record<string, unknown>) =>
    texts({ rank: ranks.get(String(latest)) ?? 'unknown', created })
  const bill = (client: Client) => {
    const { number, id, body } = client.random.choose(...invoices)
    const fields = { rank: ranks.get(id)!, created: seconds(body.created) }
    const intent = { ...history, op: 'bill', list: `invoices of ${app}`, id, input: { number, fields } }
    return client.record(intent, { credentials, path: '/api/invoices', body })
  }
  const readInvoice = (client: Client) => {
    const { number, id } = client.random.choose(...invoices)
    const request = { credentials, method: 'GET', path: `/api/invoices/${id}` } as const
    return client.record({ ...history, op: 'read invoice', input: { number } }, request)
  }
  const id = serverIdFor(app, 'sub', external)
  const retrieve = ({ record, random: own }: Client) => {
    const path = `/api/subscriptions/${own.choose(external, id)}`
    const shown = (json: { data: { subscription: object } }) => shownOf({ ...json.data.subscription })
    return record({ ...history, op: 'read' }, { credentials, method: 'GET', path, shown })
  }
  const act = (client: Client) => client.random.choose(bill, bill, bill, readInvoice, retrieve)(client)
  return { ...history, id, act, retrieve, shownOf }
}
