import { ApiError, type ErrorKind, errorKinds } from '../../shared/errors.ts'
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

describe('the headers of an error', () => {
  const asked: Readonly<Record<number, Record<string, string>>> = {
    401: { 'www-authenticate': 'Bearer' },
    429: { 'retry-after': '1' },
    503: { 'retry-after': '1' },
  }

  it.each(Object.keys(errorKinds) as ErrorKind[])('of kind %s', (kind) => {
    const { status, title } = errorKinds[kind]
    const { headers, statusCode, body } = errorResponse(new ApiError(kind, 'Why.'), 'request-1', {
      allow: 'GET',
    })
    const { 'www-authenticate': scheme, 'retry-after': after } = headers as Record<string, string>
    expect({ ...(scheme && { 'www-authenticate': scheme }), ...(after && { 'retry-after': after }) }).toEqual(
      asked[status] ?? {},
    )
    expect([statusCode, headers?.['x-request-id'], headers?.allow]).toEqual([status, 'request-1', 'GET'])
    expect(JSON.parse(body)).toEqual({ errors: [{ code: status, title, detail: 'Why.' }] })
  })
})
