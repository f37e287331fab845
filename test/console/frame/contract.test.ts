import { BillingApiError } from '../../../client/index.ts'
import { bodyFrom, errorsByField } from '../../../console/forms/form-values.ts'
import { type Document, kindOf, resourcesOf } from '../../../console/frame/contract.ts'
import { catalogue } from '../../../shared/catalogue.ts'
import { openApiDocument } from '../../../shared/openapi/document.ts'

const document = JSON.parse(JSON.stringify(openApiDocument('https://api.example.org'))) as Document
const resources = resourcesOf(document)
const resourceOf = (plural: string) => resources.find((each) => each.plural === plural)!

describe('the console reads from the OpenAPI document', () => {
  it('every resource with its names, ids, includes, filter and bodies', () => {
    const stated = [...new Set(catalogue.map(({ resource }) => resource))].map((resource) => {
      const endpointOf = (operation: string) =>
        catalogue.find((each) => each.resource === resource && each.operation === operation)
      return {
        names: [resource.plural, resource.name],
        listIncludes: Object.keys(endpointOf('list')?.include ?? {}),
        includes: Object.keys(endpointOf('retrieve')?.include ?? {}),
        filter: endpointOf('list')?.filter,
        bodies: [endpointOf('create') !== undefined, endpointOf('update') !== undefined],
      }
    })
    const read = resources.map(({ plural, singular, listIncludes, includes, filter, create, update }) => ({
      names: [plural, singular],
      ...{ listIncludes, includes, filter },
      bodies: [create !== undefined, update !== undefined],
    }))
    expect(read).toEqual(stated)
    expect(resourceOf('invoices').idPattern.test(`inv_${'0'.repeat(22)}`)).toBe(true)
    expect(resourceOf('invoices').idPattern.test('inv_1')).toBe(false)
  })

  it.each([
    ['invoices', 'total', 'money'],
    ['invoices', 'created', 'time'],
    ['invoices', 'line_items', 'list'],
    ['prices', 'interval_count', 'number'],
    ['prices', 'price', 'money'],
    ['prices', 'type', 'text'],
    ['customers', 'metadata', 'object'],
    ['prices', 'tiered', 'boolean'],
  ])('what kind a field is: %s.%s is %s', (plural, field, kind) => {
    expect(kindOf(resourceOf(plural).fields[field]!)).toBe(kind)
  })

  it('what a field that may be null holds otherwise', () => {
    const { properties = {} } = resourceOf('prices').create!
    expect(properties.interval).toMatchObject({
      description: expect.stringContaining('recurs'),
      enum: ['day', 'week', 'month', 'year'],
    })
  })
})

describe('a form', () => {
  const bodyOf = (plural: string, typed: Record<string, string>, before?: object) =>
    bodyFrom(resourceOf(plural).create!.properties!, new Map(Object.entries(typed)), { ...before })

  it('sends what was typed as the type that the field has, and no field that is empty', () => {
    const texts = { id: '42', title: '', price: '1999', tiered: 'true', currency: 'EUR', type: 'one_time' }
    const sent = { id: '42', price: 1999, tiered: true, currency: 'EUR', type: 'one_time' }
    expect(bodyOf('prices', texts)).toEqual(sent)
  })

  it.each(['19.9 cents', '90071992547409930'])('leaves it to the service to refuse "%s"', (price) => {
    expect(bodyOf('prices', { price })).toEqual({ price })
  })

  it('sends of an update only what was changed, and null for what was removed', () => {
    const before = { name: 'Ann', email: 'ann@example.org', metadata: { seats: 3 } }
    const texts = { name: 'Ann', email: '', metadata: '{"seats": 4}', phone: '' }
    expect(bodyOf('customers', texts, before)).toEqual({ email: null, metadata: { seats: 4 } })
  })

  it('shows errors at the fields that they begin with, and says whether these are all', () => {
    let lines: unknown = [{ amount: 'many' }]
    const errors = (...details: string[]) =>
      errorsByField(
        new BillingApiError('refused', {
          status: 422,
          errors: details.map((detail) => ({ code: 422, title: 'Invalid', detail })),
        }),
        { total: {}, line_items: { type: 'array' } },
        { total: 'many', line_items: lines },
      )
    const { byField, isComplete } = errors('line_items[0].amount must be an integer', 'total is required')
    expect([...byField.keys(), isComplete]).toEqual(['line_items', 'total', true])
    lines = '[{'
    expect(errors('line_items must be a list').byField.get('line_items')).toEqual(['line_items must be JSON'])
    expect(errors('total is required', 'The id is taken').isComplete).toBe(false)
    expect(errorsByField(new Error('lost'), {}, {}).isComplete).toBe(false)
  })
})
