import { isDeepStrictEqual } from 'node:util'
import { catalogue } from '../../shared/catalogue.ts'
import { inParallel } from '../support/lists.ts'
import { type ApiResponse, type Client, newClient, serveForTests } from '../support/service.ts'
import { expectInvalid, pathIn } from '../support/violations.ts'
import { createExisting, existing, type Writing, writing } from '../support/writing.ts'

serveForTests()

let client: Client
beforeAll(async () => {
  client = await newClient()
  await createExisting(client)
})

type Body = Record<string, unknown>

/** Returns a valid body of an operation with this value of a field. */
const bodyWith = (name: string, field: string, value: unknown): Body =>
  writing[name]!.body({ [field]: value })

/** Sends a body of an operation. A line item is sent in an invoice. */
const send = (name: string, body: Body): Promise<ApiResponse> => {
  const { method, path } = catalogue.find(({ id }) => id === name) ?? {
    method: 'POST',
    path: '/api/invoices',
  }
  return client.call(method, path.replace('{id}', existing.changed), { body })
}

/** Returns the entity in a response, or the line item of the invoice. */
const shownIn = async ({ json }: ApiResponse, prefix: string): Promise<Body> => {
  const [entity] = Object.values<Body>(json.data)
  if (prefix === '') return entity!
  const invoice = await client.get(`/api/invoices/${entity!.id}?include=line_items`)
  return invoice.json.data.invoice.line_items[1]
}

const rows = Object.entries(writing).flatMap(([name, { fields, prefix = '' }]) =>
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

it('has values for all fields of every body', () => {
  for (const { id, body } of catalogue.filter((endpoint) => endpoint.body))
    expect([id, Object.keys(writing[id]?.fields ?? {})]).toEqual([id, Object.keys(body?.properties ?? {})])
  const { line_items } = catalogue.find(({ id }) => id === 'invoices.create')?.body?.properties ?? {}
  expect(Object.keys(writing['a line item']!.fields)).toEqual(
    Object.keys(line_items?.items?.properties ?? {}),
  )
})

const whole = Object.entries(writing).filter(([, { prefix }]) => prefix === undefined)
it.each<[string, Writing]>(whole)(
  'returns the visible fields of a body in this order: %s',
  async (name, { fields, body }) => {
    const entity = await shownIn(await send(name, body({})), '')
    expect(Object.keys(entity)).toEqual(Object.keys(fields).filter((field) => !fields[field]!.hidden))
  },
)

it.each(rows)('$name records every valid $field, and returns it if it is visible', async (row) => {
  const { name, field, prefix, right, shown, hidden, width } = row
  await inParallel(
    right,
    async (value) => {
      const response = await send(name, bodyWith(name, field, value))
      expect([value, response.status, response.details]).toEqual([value, 200, []])
      const entity = await shownIn(response, prefix)
      expect([value, entity[field]]).toEqual([value, hidden ? undefined : shown(value)])
    },
    width,
  )
})

it.each(rows)('$name refuses every invalid $field, and names it', async ({ name, field, path, wrong }) => {
  await inParallel(wrong, async (value) => {
    const { status, details } = await send(name, bodyWith(name, field, value))
    expect({ value, status, paths: details.map(pathIn) }).toEqual({ value, status: 422, paths: [path] })
  })
})

it.each(rows)('$name accepts an absent, null or filler $field only if it is optional', async (row) => {
  const { name, field, prefix, path, may, fallback, hidden, filler } = row
  for (const value of [undefined, null, ...(filler === undefined ? [] : [filler])]) {
    const response = await send(name, bodyWith(name, field, value))
    if (may === 'not be absent') expectInvalid(response, path)
    else {
      expect([value, response.status]).toEqual([value, 200])
      // An update leaves what is absent as it is.
      if (value === undefined && name === 'customers.update') continue
      const entity = await shownIn(response, prefix)
      expect([value, entity[field]]).toEqual([value, hidden ? undefined : fallback])
    }
  }
})

const filled = rows.filter(({ name, may, filler }) => {
  return name !== 'customers.update' && may === 'be absent' && filler !== undefined
})
it.each(filled)('$name replays a create without $field when it is null or a filler', async (row) => {
  const { name, field, prefix, filler } = row
  const absent = bodyWith(name, field, undefined)
  await send(name, absent)
  const sentField = prefix === '' ? field : 'line_items'
  for (const value of [null, filler]) {
    const again = await send(name, { ...absent, [sentField]: bodyWith(name, field, value)[sentField] })
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
  }
})

// creates.test.ts shows this of references.
const compared = rows.filter(({ name, field }) => name !== 'customers.update' && !field.endsWith('id'))
it.each(compared)(
  '$name refuses a repetition with another $field, and replays one with another spelling of it',
  async (row) => {
    const { name, field, prefix, right, shown } = row
    const body = bodyWith(name, field, right[0])
    await send(name, body)
    const sentField = prefix === '' ? field : 'line_items'
    const conflict = expect.stringMatching(
      new RegExp(`^id .*, created with other values of: ${sentField}\\.$`),
    )
    await inParallel(right, async (value) => {
      const again = await send(name, { ...body, [sentField]: bodyWith(name, field, value)[sentField] })
      const isSame = isDeepStrictEqual(shown(value), shown(right[0]))
      expect([value, again.status, again.headers.get('idempotent-replayed'), again.details]).toEqual(
        isSame ? [value, 200, 'true', []] : [value, 409, null, [conflict]],
      )
    })
  },
)
