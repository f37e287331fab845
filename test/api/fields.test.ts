import { isDeepStrictEqual } from 'node:util'
import { catalogue } from '../../shared/catalogue.ts'
import { inParallel } from '../support/in-parallel.ts'
import { range } from '../support/range.ts'
import { expectInvalid, fieldPathIn } from '../support/requests/invalid-requests.ts'
import { type ApiResponse, type Client, newClient, serveForTests } from '../support/requests/service.ts'
import {
  createExisting,
  existingIds,
  type WriteOperation,
  writeOperations,
} from '../support/requests/write-operations.ts'

serveForTests()

let client: Client
beforeAll(async () => {
  client = await newClient()
  await createExisting(client)
})

type Body = Record<string, unknown>

/** Returns a valid body of an operation with this value of a field. */
const bodyWith = (name: string, field: string, value: unknown): Body =>
  writeOperations[name]!.body({ [field]: value })

/** Sends a body of an operation. A line item is sent in an invoice. */
const send = (name: string, body: Body): Promise<ApiResponse> => {
  const { method, path } = catalogue.find(({ id }) => id === name) ?? {
    method: 'POST',
    path: '/api/invoices',
  }
  return client.call(method, path.replace('{id}', existingIds.changed), { body })
}

/** Returns the entity in a response, or the line item of the invoice. */
const shownIn = async ({ json }: ApiResponse, prefix: string): Promise<Body> => {
  const [entity] = Object.values<Body>(json.data)
  if (prefix === '') return entity!
  const invoice = await client.get(`/api/invoices/${entity!.id}?include=line_items`)
  return invoice.json.data.invoice.line_items[1]
}

const rows = Object.entries(writeOperations).flatMap(([name, { fields, prefix = '' }]) =>
  Object.entries(fields).map(([field, values]) => ({
    ...values,
    shown: (values.shown ?? ((sent) => sent)) as (sent: unknown) => unknown,
    name,
    prefix,
    field,
    path: prefix + field,
    // Updates of one customer at once could be overtaken by one another.
    width: name === 'customers.update' ? 1 : 25,
  })),
)

it.each(catalogue.filter(({ body }) => body))(
  'has values for all fields of the body of $id',
  ({ id, body }) => {
    expect(Object.keys(writeOperations[id]?.fields ?? {})).toEqual(Object.keys(body?.properties ?? {}))
  },
)

it('has values for all fields of a line item', () => {
  const { line_items } = catalogue.find(({ id }) => id === 'invoices.create')?.body?.properties ?? {}
  expect(Object.keys(writeOperations['a line item']!.fields)).toEqual(
    Object.keys(line_items?.items?.properties ?? {}),
  )
})

/** Throws Error with a sentence that names the value, so that one of hundreds can be found. */
const require = (holds: boolean, value: unknown, sentence: string): void => {
  if (!holds) throw new Error(`The value ${JSON.stringify(value)} ${sentence}`)
}

const whole = Object.entries(writeOperations).filter(([, { prefix }]) => prefix === undefined)
it.each<[string, WriteOperation]>(whole)(
  'returns the visible fields of a body in this order: %s',
  async (name, { fields, body }) => {
    const entity = await shownIn(await send(name, body({})), '')
    expect(Object.keys(entity)).toEqual(Object.keys(fields).filter((field) => !fields[field]!.hidden))
  },
)

it.each(rows)(
  '$name records every valid $field, and returns it if it is visible',
  async ({ name, field, prefix, right, shown, hidden, width }) => {
    const record = async (value: unknown) => {
      const response = await send(name, bodyWith(name, field, value))
      require(response.status === 200, value, `is refused: ${response.status} ${response.details.join(' ')}`)
      const { [field]: returned } = await shownIn(response, prefix)
      // Some ids are compared with a pattern.
      expect({ sent: value, returned }).toEqual({ sent: value, returned: hidden ? undefined : shown(value) })
    }
    await inParallel(right, record, width)
  },
)

// An update has no repetition. creates.test.ts compares repetitions with other references.
const repeatable = rows.filter(({ name, field }) => name !== 'customers.update' && !field.endsWith('id'))
it.each(repeatable)(
  '$name refuses a repetition with another $field, and replays one with another spelling of it',
  async ({ name, field, prefix, right, shown, width }) => {
    const sentField = prefix === '' ? field : 'line_items'
    const first = bodyWith(name, field, right[0])[sentField]
    const conflict = `created with other values of: ${sentField}.`
    const repeat = async (value: unknown) => {
      const body = bodyWith(name, field, value)
      await send(name, body)
      const again = await send(name, { ...body, [sentField]: first })
      const got = `${again.status} ${again.details.join(' ')}`
      const isSame = isDeepStrictEqual(shown(value), shown(right[0]))
      const isReplay = again.status === 200 && again.headers.get('idempotent-replayed') === 'true'
      const isConflict = again.status === 409 && again.details.length === 1 && got.includes(conflict)
      if (isSame)
        require(isReplay, value, `is not replayed when it is sent as ${JSON.stringify(first)}: ${got}`)
      else require(isConflict, value, `does not conflict with ${JSON.stringify(first)}: ${got}`)
    }
    await inParallel(right, repeat, width)
    expect(right.length).toBeGreaterThan(0)
  },
)

it.each(Object.entries(writeOperations))(
  '%s refuses every invalid value of its fields, and names each field',
  async (name, { body, fields, prefix = '' }) => {
    const most = Math.max(...Object.values(fields).map(({ wrong }) => wrong.length))
    // The first invalid values of all fields together, the second ones together, and so on.
    await inParallel(range(most), async (place) => {
      const sent = Object.entries(fields).filter(([, { wrong }]) => place < wrong.length)
      const values = Object.fromEntries(sent.map(([field, { wrong }]) => [field, wrong[place]]))
      const { status, details } = await send(name, body(values))
      const paths = sent.map(([field]) => prefix + field).sort()
      expect({ place, status, paths: details.map(fieldPathIn).sort() }).toEqual({ place, status: 422, paths })
    })
  },
)

it.each(rows.filter(({ may }) => may === 'not be absent'))(
  '$name refuses an absent, null or filler $field',
  async ({ name, field, path, filler }) => {
    for (const value of filler === undefined ? [undefined, null] : [undefined, null, filler])
      expectInvalid(await send(name, bodyWith(name, field, value)), path)
  },
)

it.each(Object.entries(writeOperations))(
  '%s takes null and fillers for absent fields, also in a repetition, if they are optional',
  async (name, { body, fields, prefix = '' }) => {
    const isUpdate = name === 'customers.update'
    const optional = Object.entries(fields).filter(([, { may }]) => may === 'be absent')
    const having = (value: (field: WriteOperation['fields'][string]) => unknown) =>
      Object.fromEntries(optional.map(([field, values]) => [field, value(values)]))
    const shown = optional
      .filter(([, { hidden }]) => !hidden)
      .map(([field, values]) => [field, values.fallback])
    const absent = body(having(() => undefined))
    const without = [having(() => undefined), having(() => null), having(({ filler }) => filler)]
    for (const [index, values] of without.entries()) {
      const sent = prefix === '' ? values : { line_items: body(values).line_items }
      const response = await send(name, { ...absent, ...sent })
      const replayed = isUpdate || index === 0 ? null : 'true'
      expect({ status: response.status, replayed: response.headers.get('idempotent-replayed') }).toEqual({
        status: 200,
        replayed,
      })
      // An update leaves what is absent as it is.
      const expected = isUpdate && index === 0 ? {} : Object.fromEntries(shown)
      expect(await shownIn(response, prefix)).toMatchObject(expected)
    }
  },
)
