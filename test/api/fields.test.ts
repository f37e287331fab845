import { isDeepStrictEqual } from 'node:util'
import { catalogue } from '../../shared/catalogue.ts'
import { inParallel } from '../support/in-parallel.ts'
import { range } from '../support/range.ts'
import { expectReplay, isReplay } from '../support/requests/create-responses.ts'
import { endpointNamed } from '../support/requests/endpoints.ts'
import { expectInvalid, fieldPathIn } from '../support/requests/invalid-requests.ts'
import { type ApiResponse, clientForTests, serveForTests } from '../support/requests/service.ts'
import {
  createExisting,
  existingIds,
  type WriteOperation,
  writeOperations,
} from '../support/requests/write-operations.ts'

serveForTests()

/** The name of the row of `writeOperations` that is no endpoint. */
const LINE_ITEM = 'a line item'

const client = clientForTests()
beforeAll(async () => {
  await createExisting(client)
})

type Body = Record<string, unknown>

const bodyWith = (operation: string, field: string, value: unknown): Body =>
  writeOperations[operation]!.body({ [field]: value })

/** The line items of an invoice have no operation of their own: they are sent in an invoice. */
const send = (operation: string, body: Body): Promise<ApiResponse> => {
  const { method, path } = endpointNamed(operation === LINE_ITEM ? 'invoices.create' : operation)
  return client.call(method, path.replace('{id}', encodeURIComponent(existingIds.updatedCustomer)), { body })
}

/** The second line item of the invoice if `prefix` is the path of a line item. */
const shownIn = async ({ json }: ApiResponse, prefix: string): Promise<Body> => {
  const [entity] = Object.values<Body>(json.data)
  if (prefix === '') return entity!
  const invoice = await client.get(`/api/invoices/${entity!.id}?include=line_items`)
  return invoice.json.data.invoice.line_items[1]
}

const operations = Object.entries(writeOperations)
const endpointOperations = operations.filter(([operation]) => operation !== LINE_ITEM)

type Row = (typeof rows)[number]
const rows = operations.flatMap(([operation, { fields, prefix = '' }]) =>
  Object.entries(fields).map(([field, values]) => ({
    ...values,
    shown: values.shown ?? ((sent: unknown) => sent),
    operation,
    prefix,
    field,
    path: prefix + field,
    // Concurrent updates of one customer could overtake each other.
    width: operation === 'customers.update' ? 1 : 25,
  })),
)

it.each(catalogue.filter(({ body }) => body))(
  'has values for all fields of the body of $id, in their order',
  ({ id, body }) => {
    expect(Object.keys(writeOperations[id]?.fields ?? {})).toEqual(Object.keys(body?.properties ?? {}))
  },
)

it('has values for all fields of a line item, in their order', () => {
  const { line_items } = endpointNamed('invoices.create').body?.properties ?? {}
  const fields = Object.keys(line_items?.items?.properties ?? {})
  expect(Object.keys(writeOperations[LINE_ITEM]!.fields)).toEqual(fields)
})

/** The sentence names the value, so that one of hundreds can be found. */
const require = (holds: boolean, value: unknown, sentence: string): void => {
  if (!holds) throw new Error(`The value ${JSON.stringify(value)} ${sentence}`)
}

it.each(endpointOperations)(
  'returns the visible fields of the body of %s in the order of the body',
  async (operation, { fields, body }) => {
    const entity = await shownIn(await send(operation, body({})), '')
    expect(Object.keys(entity)).toEqual(Object.keys(fields).filter((field) => !fields[field]!.isHidden))
  },
)

const summaryOf = ({ status, details }: ApiResponse): string => `${status} ${details.join(' ')}`

const record = async ({ operation, field, prefix, shown, isHidden }: Row, value: unknown): Promise<Body> => {
  const body = bodyWith(operation, field, value)
  const response = await send(operation, body)
  require(response.status === 200, value, `is refused: ${summaryOf(response)}`)
  const { [field]: returned } = await shownIn(response, prefix)
  // Some ids are compared with a pattern.
  const expected = isHidden ? undefined : shown(value)
  expect({ sent: value, returned }).toEqual({ sent: value, returned: expected })
  return body
}

// An update has no repetition. creates.test.ts compares repetitions with other references.
const isRepeatable = ({ operation, field }: Row): boolean =>
  operation !== 'customers.update' && !field.endsWith('id')

it.each(rows.filter((row) => !isRepeatable(row)))(
  '$operation records every valid $field, and returns it if it is visible',
  (row) => inParallel(row.valid, (value) => record(row, value), row.width),
)

it.each(rows.filter(isRepeatable))(
  '$operation records every valid $field, returns it if it is visible, refuses a repetition with another one, and replays one with another spelling of it',
  async (row) => {
    const { operation, field, prefix, valid, shown } = row
    const [firstValue] = valid
    const sentField = prefix === '' ? field : 'line_items'
    const first = bodyWith(operation, field, firstValue)[sentField]
    const conflict = `created with other values of: ${sentField}.`
    const recordAndRepeat = async (value: unknown) => {
      const body = await record(row, value)
      const repetition = await send(operation, { ...body, [sentField]: first })
      const { status, details } = repetition
      const received = summaryOf(repetition)
      if (isDeepStrictEqual(shown(value), shown(firstValue))) {
        const isReplayed = status === 200 && isReplay(repetition)
        require(isReplayed, value, `is not replayed when it is sent as ${JSON.stringify(first)}: ${received}`)
      } else {
        const isConflict = status === 409 && details.length === 1 && received.includes(conflict)
        require(isConflict, value, `does not conflict with ${JSON.stringify(first)}: ${received}`)
      }
    }
    await inParallel(valid, recordAndRepeat, row.width)
  },
)

it.each(operations)(
  '%s refuses every invalid value of its fields, and names each field',
  async (operation, { body, fields, prefix = '' }) => {
    const most = Math.max(...Object.values(fields).map(({ invalid }) => invalid.length))
    // The first invalid values of all fields together, the second ones together, and so on.
    await inParallel(range(most), async (place) => {
      const sent = Object.entries(fields).filter(([, { invalid }]) => place < invalid.length)
      const values = Object.fromEntries(sent.map(([field, { invalid }]) => [field, invalid[place]]))
      const { status, details } = await send(operation, body(values))
      const paths = sent.map(([field]) => prefix + field).sort()
      expect({ place, status, paths: details.map(fieldPathIn).sort() }).toEqual({ place, status: 422, paths })
    })
  },
)

it.each(rows.filter(({ isOptional }) => !isOptional))(
  '$operation refuses an absent, null or filler $field',
  async ({ operation, field, path, filler }) => {
    for (const value of filler === undefined ? [undefined, null] : [undefined, null, filler])
      expectInvalid(await send(operation, bodyWith(operation, field, value)), path)
  },
)

const optionalFields = ({ fields }: WriteOperation) => {
  const optional = Object.entries(fields).filter(([, { isOptional }]) => isOptional)
  const visible = optional.filter(([, { isHidden }]) => !isHidden)
  return {
    absent: Object.fromEntries(optional.map(([field]) => [field, undefined])),
    nulls: Object.fromEntries(optional.map(([field]) => [field, null])),
    fillers: Object.fromEntries(optional.map(([field, { filler }]) => [field, filler])),
    shown: Object.fromEntries(visible.map(([field, { fallback }]) => [field, fallback])),
  }
}

it.each(operations.filter(([operation]) => operation !== 'customers.update'))(
  '%s accepts null and fillers as absent optional fields, also in a repetition',
  async (operation, writeOperation) => {
    const { body, prefix = '' } = writeOperation
    const { absent, nulls, fillers, shown } = optionalFields(writeOperation)
    const first = body(absent)
    const created = await send(operation, first)
    expect(created).toMatchObject({ status: 200, details: [] })
    expect(isReplay(created)).toBe(false)
    expect(await shownIn(created, prefix)).toMatchObject(shown)
    for (const values of [nulls, fillers]) {
      const changed = prefix === '' ? values : { line_items: body(values).line_items }
      const repeated = await send(operation, { ...first, ...changed })
      expectReplay(repeated)
      expect(await shownIn(repeated, prefix)).toMatchObject(shown)
    }
  },
)

it('customers.update leaves absent optional fields unchanged, and resets them for null and fillers', async () => {
  const operation = writeOperations['customers.update']!
  const { absent, nulls, fillers, shown } = optionalFields(operation)
  const named = await send('customers.update', operation.body({ name: 'Ann Example' }))
  expect(named.json.data.customer).toMatchObject({ name: 'Ann Example' })
  const unchanged = await send('customers.update', operation.body(absent))
  expect(unchanged.json.data.customer).toEqual(named.json.data.customer)
  for (const values of [nulls, fillers]) {
    const reset = await send('customers.update', operation.body(values))
    expect(reset.json.data.customer).toMatchObject(shown)
  }
})
