import { BillingApiError } from '../../client/index.ts'
import { type Document, resourcesOf } from '../../console/contract.ts'
import { bodyFrom, errorsByField } from '../../console/form-values.ts'
import { openApiDocument } from '../../shared/openapi/document.ts'

const document = JSON.parse(JSON.stringify(openApiDocument('https://api.example.org'))) as Document
const fieldsOf = (plural: string) =>
  resourcesOf(document).find((each) => each.plural === plural)!.create!.properties!
const typed = (texts: Record<string, string>) => new Map(Object.entries(texts))

describe('a form', () => {
  it('sends what was typed as the type that the field has, and no field that is empty', () => {
    const texts = { id: '42', title: '', price: '1999', tiered: 'true', currency: 'EUR', type: 'one_time' }
    expect(bodyFrom(fieldsOf('prices'), typed(texts))).toEqual({
      ...{ id: '42', price: 1999, tiered: true, currency: 'EUR', type: 'one_time' },
    })
  })

  it.each([
    ['19.9 cents', '19.9 cents'],
    ['90071992547409930', '90071992547409930'],
  ])('leaves it to the service to refuse "%s"', (text, sent) => {
    expect(bodyFrom(fieldsOf('prices'), typed({ price: text }))).toEqual({ price: sent })
  })

  it('sends of an update only what was changed, and null for what was removed', () => {
    const before = { name: 'Ann', email: 'ann@example.org', metadata: { seats: 3 } }
    const texts = { name: 'Ann', email: '', metadata: '{"seats": 4}', phone: '' }
    const fields = fieldsOf('customers')
    expect(bodyFrom(fields, typed(texts), before)).toEqual({ email: null, metadata: { seats: 4 } })
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
    const { byField, isAll } = errors('line_items[0].amount must be an integer', 'total is required')
    expect([...byField.keys(), isAll]).toEqual(['line_items', 'total', true])
    lines = '[{'
    expect(errors('line_items must be a list').byField.get('line_items')).toEqual(['line_items must be JSON'])
    expect(errors('total is required', 'The id is taken').isAll).toBe(false)
    expect(errorsByField(new Error('lost'), {}, {}).isAll).toBe(false)
  })
})
