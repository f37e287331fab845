import { type Document, kindOf, resourcesOf } from '../../console/contract.ts'
import { catalogue } from '../../shared/catalogue.ts'
import { openApiDocument } from '../../shared/openapi/document.ts'

const document = JSON.parse(JSON.stringify(openApiDocument('https://api.example.org'))) as Document
const resources = resourcesOf(document)
const resourceOf = (plural: string) => resources.find((each) => each.plural === plural)!

describe('the console reads from the OpenAPI document', () => {
  it('every resource with its names, ids, includes, filter and bodies', () => {
    const stated = [...new Set(catalogue.map(({ resource }) => resource))].map((resource) => {
      const of = (operation: string) =>
        catalogue.find((each) => each.resource === resource && each.operation === operation)
      return {
        names: [resource.plural, resource.name],
        listIncludes: Object.keys(of('list')?.include ?? {}),
        includes: Object.keys(of('retrieve')?.include ?? {}),
        filter: of('list')?.filter,
        bodies: [of('create') !== undefined, of('update') !== undefined],
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
