import {
  baseUrlOf,
  headerValues,
  queryValues,
  requestIdFrom,
  requestIdOf,
} from '../../shared/http/request.ts'
import { type EventParts, eventWith } from '../support/requests/gateway-events.ts'

// Here are events with nulls, which people write by hand.
it.each<[string, EventParts, string[]]>([
  [
    'all values rather than the last one',
    { headers: { 'x-app-id': 'b' }, multiValueHeaders: { 'x-app-id': ['a', 'b'] } },
    ['a', 'b'],
  ],
  [
    'the value if the event has no lists of values',
    { headers: { 'x-app-id': 'b' }, multiValueHeaders: null },
    ['b'],
  ],
  ['no values that are null or undefined', { headers: { 'x-app-id': null, 'X-App-Id': undefined } }, []],
])('finds of a header %s', (_, parts, values) => {
  expect(headerValues(eventWith(parts), 'x-app-id')).toEqual(values)
})

it('finds of each query parameter all values, or the single value if there is no list, but no null', () => {
  const event = eventWith({
    queryStringParameters: { onlyNull: null, single: '', several: '2' },
    multiValueQueryStringParameters: { single: null, several: ['1', '2'] },
  })
  expect(Object.fromEntries(queryValues(event))).toEqual({ onlyNull: [], single: [''], several: ['1', '2'] })
})

it('finds no query parameters in an event with null in their place', () => {
  expect(queryValues(eventWith({ queryStringParameters: null }))).toEqual([])
})

it.each(['a', 'A.b_c:d-9', 'x'.repeat(128)])(
  'the id of a request is the id that the client sent if it is valid: %s',
  (sent) => {
    expect(requestIdFrom(sent, 'given')).toBe(sent)
    const headers = { 'X-Request-Id': sent }
    expect(requestIdOf(eventWith({ headers, requestContext: { requestId: 'given' } }))).toBe(sent)
  },
)

it.each([undefined, '', ' ', 'a b', ' a', 'a\n', 'a,b', 'a/b', '{}', 'ä', '"a"', 'x'.repeat(129)])(
  'the id of a request is the gateway’s if the client sent %p',
  (sent) => {
    expect(requestIdFrom(sent, 'given')).toBe('given')
  },
)

it('the id of a request is generated if neither the client nor the gateway gives one', () => {
  expect(requestIdFrom(undefined, undefined)).toMatch(/^[0-9a-f-]{36}$/)
  expect(requestIdOf(eventWith({}))).not.toBe(requestIdOf(eventWith({})))
})

it.each<[string, EventParts, string]>([
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
