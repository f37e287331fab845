import fc from 'fast-check'
import { addressFrom, linkTo } from '../../../console/frame/address.ts'

describe('addresses', () => {
  it('lead back to what they were made of, whatever ids contain', () => {
    const id = fc.string({ unit: 'binary', minLength: 1 }).filter((text) => text.isWellFormed())
    fc.assert(
      fc.property(fc.array(id), fc.dictionary(fc.string(), id), (path, query) => {
        const link = linkTo(path, query)
        expect(addressFrom(link)).toEqual({ path, query: { ...query } })
      }),
    )
  })

  it('leave out empty parameters, and survive what nobody made', () => {
    expect(linkTo(['invoices'], { cursor: undefined, limit: '' })).toBe('#/invoices')
    expect(addressFrom('#/%E0%A4%A/x')).toEqual({ path: ['%E0%A4%A', 'x'], query: {} })
    expect(addressFrom('')).toEqual({ path: [], query: {} })
  })
})
