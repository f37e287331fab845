import type { APIGatewayProxyEvent } from 'aws-lambda'
import {
  baseUrlOf,
  headerValues,
  queryValues,
  requestIdFrom,
  requestIdOf,
} from '../../shared/http/request.ts'

const eventWith = (parts: object) => parts as APIGatewayProxyEvent

// credentials.test.ts sends headers in any case and twice, errors.test.ts parameters twice.
it.each<[string, object, string[]]>([
  ['not null', { headers: { 'x-app-id': null, 'X-App-Id': undefined } }, []],
  [
    'several values rather than the last of them',
    { headers: { 'x-app-id': 'b' }, multiValueHeaders: { 'x-app-id': ['a', 'b'] } },
    ['a', 'b'],
  ],
  [
    'a single value beside null for several',
    { headers: { 'x-app-id': 'b' }, multiValueHeaders: null },
    ['b'],
  ],
  ['none in an empty event', {}, []],
])('finds the values of a header: %s', (_, event, values) => {
  expect(headerValues(eventWith(event), 'x-app-id')).toEqual(values)
})

it.each<[string, object, [string, string[]][]]>([
  [
    'single values',
    { queryStringParameters: { a: '1', b: '' } },
    [
      ['a', ['1']],
      ['b', ['']],
    ],
  ],
  [
    'a single value beside null for several',
    { queryStringParameters: { a: '2' }, multiValueQueryStringParameters: { a: null } },
    [['a', ['2']]],
  ],
  ['not null', { queryStringParameters: { a: null } }, [['a', []]]],
  [
    'none in an event without any',
    { queryStringParameters: null, multiValueQueryStringParameters: null },
    [],
  ],
])('finds the values of a query parameter: %s', (_, event, values) => {
  expect(queryValues(eventWith(event))).toEqual(values)
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
