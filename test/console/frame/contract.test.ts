import { BillingApiError } from '../../../client/index.ts'
import { bodyFrom, errorsByField } from '../../../console/forms/form-values.ts'
import { copiedFields, kindOf, type OpenApiDocument, resourcesOf } from '../../../console/frame/contract.ts'
import { catalogue } from '../../../shared/catalogue.ts'
import { openApiDocument } from '../../../shared/openapi/document.ts'

const document = JSON.parse(JSON.stringify(openApiDocument('https://api.example.org'))) as OpenApiDocument
const resources = resourcesOf(document)
const resourceOf = (plural: string) => resources.find((resource) => resource.plural === plural)!

describe('the contract that the console reads from the OpenAPI document', () => {
  it('has every resource with its names, ids, includes, filter and bodies', () => {
    const catalogued = [...new Set(catalogue.map(({ resource }) => resource))].map((resource) => {
      const endpointOf = (operation: string) =>
        catalogue.find((endpoint) => endpoint.resource === resource && endpoint.operation === operation)
      return {
        plural: resource.plural,
        singular: resource.name,
        listIncludes: Object.keys(endpointOf('list')?.include ?? {}),
        includes: Object.keys(endpointOf('retrieve')?.include ?? {}),
        filter: endpointOf('list')?.filter,
        hasCreate: endpointOf('create') !== undefined,
        hasUpdate: endpointOf('update') !== undefined,
      }
    })
    const read = resources.map(({ plural, singular, listIncludes, includes, filter, create, update }) => ({
      plural,
      singular,
      listIncludes,
      includes,
      filter,
      hasCreate: create !== undefined,
      hasUpdate: update !== undefined,
    }))
    expect(read).toEqual(catalogued)
    expect(resourceOf('invoices').idPattern.test(`inv_${'0'.repeat(22)}`)).toBe(true)
    expect(resourceOf('invoices').idPattern.test('inv_1')).toBe(false)
  })

  it.each(['products', 'prices', 'invoices', 'line items'])(
    'has other fields for the copy after a field of %s is added',
    (changed) => {
      const grown = resources.map((resource) => {
        if (resource.plural === changed)
          return { ...resource, fields: { ...resource.fields, website: { type: 'string' } } }
        const { line_items: lines } = resource.fields
        if (changed !== 'line items' || !lines?.items) return resource
        const properties = { ...lines.items.properties, website: { type: 'string' } }
        return {
          ...resource,
          fields: { ...resource.fields, line_items: { ...lines, items: { properties } } },
        }
      })
      expect(copiedFields(grown)).not.toBe(copiedFields(resources))
      expect(copiedFields(resourcesOf(document))).toBe(copiedFields(resources))
    },
  )

  it.each([
    ['invoices', 'total', 'money'],
    ['invoices', 'created', 'time'],
    ['invoices', 'line_items', 'list'],
    ['prices', 'interval_count', 'number'],
    ['prices', 'price', 'money'],
    ['prices', 'type', 'text'],
    ['customers', 'metadata', 'object'],
    ['prices', 'tiered', 'boolean'],
  ])('has the kind of a field: %s.%s is %s', (plural, field, kind) => {
    expect(kindOf(resourceOf(plural).fields[field]!)).toBe(kind)
  })

  it('has the description and the values of a field that can be null', () => {
    const { properties = {} } = resourceOf('prices').create!
    expect(properties.interval).toMatchObject({
      description: expect.stringContaining('recurs'),
      enum: ['day', 'week', 'month', 'year'],
    })
  })
})

describe('a form', () => {
  const bodyOf = (plural: string, typed: Record<string, string>, before: Record<string, unknown> = {}) =>
    bodyFrom(resourceOf(plural).create!.properties!, new Map(Object.entries(typed)), before)

  it('sends the typed text as the type of its field, and leaves out empty fields', () => {
    const texts = { id: '42', title: '', price: '1999', tiered: 'true', currency: 'EUR', type: 'one_time' }
    const sent = { id: '42', price: 1999, tiered: true, currency: 'EUR', type: 'one_time' }
    expect(bodyOf('prices', texts)).toEqual(sent)
  })

  it.each(['19.9 cents', '90071992547409930'])('sends "%s" as text, for the service to refuse', (price) => {
    expect(bodyOf('prices', { price })).toEqual({ price })
  })

  it('sends in an update only the fields that were changed, and null for a field that was emptied', () => {
    const before = { name: 'Ann', email: 'ann@example.org', metadata: { seats: 3 } }
    const texts = { name: 'Ann', email: '', metadata: '{"seats": 4}', phone: '' }
    expect(bodyOf('customers', texts, before)).toEqual({ email: null, metadata: { seats: 4 } })
  })

  describe('the errors of a response', () => {
    const refusal = (...details: string[]) =>
      new BillingApiError('refused', {
        status: 422,
        errors: details.map((detail) => ({ code: 422, title: 'Invalid', detail })),
      })
    const fields = { total: {}, line_items: { type: 'array' } }
    const body = { total: 'many', line_items: [{ amount: 'many' }] }

    it('are shown at the fields that they begin with', () => {
      const error = refusal('line_items[0].amount must be an integer', 'total is required')
      const { byField, isComplete } = errorsByField(error, fields, body)
      expect([...byField.keys()]).toEqual(['line_items', 'total'])
      expect(isComplete).toBe(true)
    })

    it('say of text in place of a list that it must be JSON', () => {
      const error = refusal('line_items must be a list')
      const { byField } = errorsByField(error, fields, { ...body, line_items: '[{' })
      expect(byField.get('line_items')).toEqual(['line_items must be JSON'])
    })

    it('are incomplete at the fields if one begins with no field, or if there is no response', () => {
      const error = refusal('total is required', 'The id is taken')
      expect(errorsByField(error, fields, body).isComplete).toBe(false)
      expect(errorsByField(new Error('lost'), {}, {}).isComplete).toBe(false)
    })
  })
})
