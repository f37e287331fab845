import { serverIdFor } from '../../shared/ids.ts'
import { anonymisedValues } from '../support/requests/bodies.ts'
import { type Client, type Course, newClient } from './client.ts'
import { type Subject, someOf, texts } from './races.ts'

type Body = Record<string, unknown>

export const newCustomer = async (course: Course, external: string): Promise<Subject> => {
  const { credentials } = course
  const id = serverIdFor(credentials.app_id, 'cus', external)
  const history = { kind: 'customer', key: `customer ${external} of ${credentials.app_id}` } as const
  const list = `customers of ${credentials.app_id}`
  const shownOf = ({ name, email, metadata }: Body) => texts({ name, email, metadata })
  const request = { credentials, shown: (json: { data: { customer: Body } }) => shownOf(json.data.customer) }
  const path = '/api/customers'
  let number = 0
  const value = (name: string) => {
    number += 1
    return `${name}${number}`
  }
  const whole = () => ({ name: value('n'), email: value('e'), metadata: { v: value('m') } })
  const first = whole()
  const put =
    (newBody?: () => Body) =>
    ({ record }: Client) => {
      const fields = newBody?.()
      const body = fields && { id: external, ...fields }
      const op = body ? 'update' : 'erase'
      const intent = { ...history, op, input: { fields: texts(fields ?? anonymisedValues) } }
      return record(intent, { ...request, method: 'PUT', path: `${path}/${external}`, body })
    }
  const post =
    (op: 'create' | 'upsert', newBody: () => Body) =>
    ({ record }: Client) => {
      const fields = newBody()
      const query = op === 'upsert' ? '?on_conflict=update' : ''
      const intent = { ...history, op, list, id, input: { fields: texts(fields) } }
      return record(intent, { ...request, path: path + query, body: { id: external, ...fields } })
    }
  const retrieve = ({ record, random }: Client) =>
    record(
      { ...history, op: 'read' },
      { ...request, method: 'GET', path: `${path}/${random.choose(external, id)}` },
    )
  const erase = put()
  const updates = [
    put(() => ({ name: value('n') })),
    put(() => ({ email: value('e') })),
    put(() => ({ name: null })),
    put(() => ({ metadata: { v: value('m') } })),
  ]
  const creates = [
    post('upsert', whole),
    post('upsert', () => first),
    post('create', () => first),
    post('create', whole),
  ]
  const writes = someOf(course, [...updates, erase, ...creates])
  const write = (client: Client) => client.random.choose(...writes)(client)
  const act = (client: Client) => client.random.choose(retrieve, write, write)(client)
  await post('create', () => first)(newClient(course, 'start'))
  return { ...history, id, act, retrieve, shownOf }
}
