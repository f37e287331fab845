import { ApiError } from '../../shared/errors.ts'
import { asApiError, errorResponse } from '../../shared/http/responses.ts'

const timeout = Object.assign(new Error('inner'), { name: 'TimeoutError' })

describe('thrown values become errors that reveal no internals', () => {
  it.each<[string, unknown, string, string]>([
    ['time that ran out', timeout, 'unavailable', 'The request took too long; send it again.'],
    ['a bug of ours', new TypeError('secret'), 'internal', 'Something went wrong on our side.'],
    ['what only has the name of a time-out', { name: 'TimeoutError' }, 'internal', 'Something went wrong'],
    ['nothing', undefined, 'internal', 'Something went wrong'],
  ])('%s', (_, thrown, kind, detail) => {
    const error = asApiError(thrown)
    expect([error.kind, error.cause]).toEqual([kind, thrown])
    expect(error.details).toEqual([expect.stringContaining(detail)])
    expect(errorResponse(error, 'r').body).not.toContain('secret')
  })

  it('an ApiError stays as it is', () => {
    const error = new ApiError('entity_not_found', 'No product has this id.')
    expect(asApiError(error)).toBe(error)
  })
})
