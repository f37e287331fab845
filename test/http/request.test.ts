import type { APIGatewayProxyEvent } from 'aws-lambda'
import {
  baseUrlOf,
  headerValues,
  queryValues,
  requestIdFrom,
  requestIdOf,
} from '../../shared/http/request.ts'

const eventWith = (parts: object) => parts as APIGatewayProxyEvent

// credentials.test.ts sends headers in any case and twice, errors.test.ts parameters twice. A hand-written event may have nulls.
it('finds the values of a header: several ones rather than the last of them, and none that are null', () => {
  const valuesIn = (event: object) => headerValues(eventWith(event), 'x-app-id')
  const headers = { 'x-app-id': 'b' }
  expect(valuesIn({ headers, multiValueHeaders: { 'x-app-id': ['a', 'b'] } })).toEqual(['a', 'b'])
  expect(valuesIn({ headers, multiValueHeaders: null })).toEqual(['b'])
  expect(valuesIn({ headers: { 'x-app-id': null, 'X-App-Id': undefined } })).toEqual([])
})

it('finds the values of query parameters: single ones where there are no several ones, and none that are null', () => {
  const several = { b: null, c: ['1', '2'] }
  const event = {
    queryStringParameters: { a: null, b: '', c: '2' },
    multiValueQueryStringParameters: several,
  }
  expect(queryValues(eventWith(event))).toEqual(Object.entries({ a: [], b: [''], c: ['1', '2'] }))
  expect(queryValues(eventWith({ queryStringParameters: null }))).toEqual([])
})

it.each(['a', 'A.b_c:d-9', 'x'.repeat(128)])(
  'the id of a request is the one sent if it is valid: %s',
  (sent) => {
    expect(requestIdFrom(sent, 'given')).toBe(sent)
    const headers = { 'X-Request-Id': sent }
    expect(requestIdOf(eventWith({ headers, requestContext: { requestId: 'given' } }))).toBe(sent)
  },
)

it.each([undefined, '', ' ', 'a b', ' a', 'a\n', 'a,b', 'a/b', '{}', 'ä', '"a"', 'x'.repeat(129)])(
  'the id of a request is the gateway’s in place of %p',
  (sent) => {
    expect(requestIdFrom(sent, 'given')).toBe('given')
  },
)

it('the id of a request is a new one if neither has one', () => {
  expect(requestIdFrom(undefined, undefined)).toMatch(/^[0-9a-f-]{36}$/)
  expect(requestIdOf(eventWith({}))).not.toBe(requestIdOf(eventWith({})))
})

it.each<[string, object, string]>([
  [
    'at a stage of the gateway',
    {
      headers: { Host: 'api.example', 'X-Forwarded-Proto': 'https' },
      requestContext: { path: '/prod/openapi.json' },
    },
    'https://api.example/prod',
  ],
  [
    'at a domain of its own',
    { headers: { host: 'api.example:81' }, requestContext: { path: '/openapi.json' } },
    'http://api.example:81',
  ],
  [
    'with slashes before and after the path',
    { headers: { host: 'api.example' }, requestContext: { path: '/prod//openapi.json//' } },
    'http://api.example/prod',
  ],
  ['of an empty event', {}, 'http://localhost'],
])('finds the base URL %s', (_, event, url) => {
  expect(baseUrlOf(eventWith(event), '/openapi.json')).toBe(url)
})
