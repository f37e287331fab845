import fc from 'fast-check'
import { addressFrom, linkTo, pathWithQuery } from '../../../console/frame/address.ts'
import type { DocumentedResource } from '../../../console/frame/contract.ts'
import { faultOfAddress } from '../../../console/frame/parameters.ts'

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

/** Returns what is wrong with the parameters of an address; undefined if they are valid. */
const faultOf = (hash: string): string | undefined => {
  const address = addressFrom(hash)
  const [plural = ''] = address.path
  const isList = ['customers', 'invoices', 'subscriptions', 'prices'].includes(plural)
  const filter = plural === 'prices' ? 'product_id' : 'customer_id'
  return faultOfAddress(address, isList ? ({ plural, filter } as unknown as DocumentedResource) : undefined)
}

describe('the parameters of an address', () => {
  it.each([
    '',
    '?currency=EUR&months=24&by=country&app=app_1',
    '?by=',
    '?months=all',
    'invoices?zone=America/Argentina/Buenos_Aires&within=2026-10',
    'customers/ann?zone=UTC',
    'finance?cohorts=numbers',
    'finance?every=quarter',
    'finance?close=2026-10&recorded=2026-11-10',
    'find?id=anything',
    'movements?kind=churn&within=2026-10&currency=EUR&sort=-change',
    'movements?customers=new&within=2026-Q4&plan=pro&reason=not renewed&by=country&segment=DE',
    'customers?by=&segment=',
    'customers?text=ann&within=2026-Q4&by=country&segment=DE',
    'invoices?kind=credits&within=2026-10-01..2026-10-15&page=2&sort=total',
    'invoices?customer_id=ann&include=price&cursor=abc',
    'subscriptions?renews=2026-12&sort=expected',
    'prices?product_id=pro&changed_since=2026-01-31&limit=5',
    'customers/ann/statement?within=2026',
  ])('of "%s" are valid', (hash) => expect(faultOf(hash)).toBeUndefined())

  it.each([
    ['movements?customers=Lost', 'customers must be one of "new", '],
    ['movements?reason=price increase', 'reason must be one of "plan", '],
    ['movements?kind=lost', 'kind must be "new", "reactivation", '],
    [
      'movements?within=week',
      'within must be a month such as 2026-10, a quarter such as 2026-Q4 or a year such as 2026. The address has "week".',
    ],
    ['movements?changed_since=2026-01-31', 'This page has no parameter "changed_since". '],
    ['customers?kind=credits', 'kind must be absent. '],
    ['invoices?kind=active', 'kind must be "credits", or absent. '],
    ['invoices?within=676', 'within must be a month such as 2026-10, a quarter '],
    ['invoices?sort=name', 'sort must be one of "created", '],
    ['invoices?page=0', 'page must be a number from 1. '],
    ['subscriptions?renews=soon', 'renews must be a month such as 2026-12. '],
    ['?currency=euro', 'currency must be the code of a currency, such as EUR. '],
    ['?months=-1', 'months must be a number of months such as 12, or "all". '],
    [
      '?zone=Berlin',
      'zone must be the name of a time zone, such as Europe/Berlin. The address has "Berlin".',
    ],
    ['customers/ann?zone=', 'zone must be the name of a time zone, such as Europe/Berlin.'],
    ['finance?every=week', 'every must be "quarter", or absent. '],
    ['finance?recorded=2026-02-30', 'recorded must be a day such as 2026-10-31. '],
    ['finance?cohorts=x', 'cohorts must be "numbers", or absent. '],
    ['finance?within=2026', 'This page has no parameter "within". '],
    ['customers/ann?page=2', 'This page has no parameter "page". '],
    ['invoices?banana=1', 'This page has no parameter "banana". '],
  ])('of "%s" have the fault "%s"', (hash, fault) => expect(faultOf(hash)).toContain(fault))
})
