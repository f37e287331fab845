import fc from 'fast-check'
import { addressFrom, linkTo, pathWithQuery } from '../../../console/frame/address.ts'

describe('an address', () => {
  it('leads back to the path and query that it was made of, whatever ids contain', () => {
    const id = fc.string({ unit: 'binary', minLength: 1 }).filter((text) => text.isWellFormed())
    fc.assert(
      fc.property(fc.array(id), fc.dictionary(fc.string(), id), (path, query) => {
        const link = linkTo(path, query)
        expect(addressFrom(link)).toEqual({ path, query: { ...query } })
      }),
    )
  })

  it('leaves out empty parameters, and can be read whatever a user types', () => {
    expect(linkTo(['invoices'], { cursor: undefined, limit: '' })).toBe('#/invoices')
    expect(addressFrom('#/%E0%A4%A/x')).toEqual({ path: ['%E0%A4%A', 'x'], query: {} })
    expect(addressFrom('')).toEqual({ path: [], query: {} })
  })

  it('keeps the application, the currency, the months, the segments and the time zone from page to page', () => {
    const from = addressFrom(
      '#/finance?months=24&cohorts=numbers&currency=USD&app=app_1&by=country&zone=Europe/Berlin',
    )
    expect(linkTo(['invoices'], { within: '2026-10' }, from)).toBe(
      '#/invoices?within=2026-10&currency=USD&months=24&by=country&zone=Europe/Berlin&app=app_1',
    )
    expect(linkTo(['customers'], { currency: 'EUR' }, from)).toBe(
      '#/customers?currency=EUR&months=24&by=country&zone=Europe/Berlin&app=app_1',
    )
    expect(linkTo(['customers'], { currency: '', zone: '' }, from)).toBe(
      '#/customers?months=24&by=country&app=app_1',
    )
  })

  it('of the API has only the parameters that it is given', () => {
    expect(pathWithQuery(['customers', 'a/b'], { include: 'external_id,price' })).toBe(
      '/customers/a%2Fb?include=external_id,price',
    )
  })
})
