import type { APIGatewayProxyEvent } from 'aws-lambda'
import {
  baseUrlOf,
  headerValues,
  queryValues,
  requestIdFrom,
  requestIdOf,
} from '../../shared/http/request.ts'

const eventWith = (parts: object) => parts as APIGatewayProxyEvent

describe('reading an event', () => {
  it.each<[string, object, string[]]>([
    ['in any case', { headers: { 'X-APP-Id': 'a' } }, ['a']],
    ['not of another name', { headers: { 'x-app-ix': 'a', 'x-app-id2': 'b' } }, []],
    ['not where it is null', { headers: { 'x-app-id': null, 'X-App-Id': undefined } }, []],
    ['several', { multiValueHeaders: { 'x-app-id': ['a', 'b'], 'X-App-Id': ['c'] } }, ['a', 'b', 'c']],
    [
      'before the single one',
      { headers: { 'x-app-id': 'b' }, multiValueHeaders: { 'x-app-id': ['a', 'b'] } },
      ['a', 'b'],
    ],
    [
      'single ones beside a null of several',
      { headers: { 'x-app-id': 'b' }, multiValueHeaders: null },
      ['b'],
    ],
    ['where there are none', {}, []],
  ])('finds the values of a header: %s', (_, event, values) => {
    expect(headerValues(eventWith(event), 'x-app-id')).toEqual(values)
  })

  it.each<[string, object, [string, string[]][]]>([
    [
      'single',
      { queryStringParameters: { a: '1', b: '' } },
      [
        ['a', ['1']],
        ['b', ['']],
      ],
    ],
    [
      'several',
      { queryStringParameters: { a: '2' }, multiValueQueryStringParameters: { a: ['1', '2'] } },
      [['a', ['1', '2']]],
    ],
    [
      'several that are null',
      { queryStringParameters: { a: '2' }, multiValueQueryStringParameters: { a: null } },
      [['a', ['2']]],
    ],
    ['several only', { multiValueQueryStringParameters: { a: ['1'] } }, [['a', ['1']]]],
    ['null', { queryStringParameters: { a: null } }, [['a', []]]],
    ['none', { queryStringParameters: null, multiValueQueryStringParameters: null }, []],
  ])('finds the values of a query: %s', (_, event, values) => {
    expect(queryValues(eventWith(event))).toEqual(values)
  })
})

describe("a request's id", () => {
  it.each(['a', 'A.b_c:d-9', 'x'.repeat(128)])('is the sent one if it is valid: %s', (sent) => {
    expect(requestIdFrom(sent, 'given')).toBe(sent)
    const headers = { 'X-Request-Id': sent }
    expect(requestIdOf(eventWith({ headers, requestContext: { requestId: 'given' } }))).toBe(sent)
  })

  it.each([undefined, '', ' ', 'a b', ' a', 'a\n', 'a,b', 'a/b', '{}', 'ä', '"a"', 'x'.repeat(129)])(
    'is the gateway’s instead of %p',
    (sent) => {
      expect(requestIdFrom(sent, 'given')).toBe('given')
    },
  )

  it('is a new one if there is none', () => {
    expect(requestIdFrom(undefined, undefined)).toMatch(/^[0-9a-f-]{36}$/)
    expect(requestIdOf(eventWith({}))).not.toBe(requestIdOf(eventWith({})))
  })
})

describe('the base URL', () => {
  it.each<[string, object, string]>([
    [
      'of a stage of the gateway',
      {
        headers: { Host: 'api.example', 'X-Forwarded-Proto': 'https' },
        requestContext: { path: '/prod/openapi.json' },
      },
      'https://api.example/prod',
    ],
    [
      'of an address of its own',
      { headers: { host: 'api.example:81' }, requestContext: { path: '/openapi.json' } },
      'http://api.example:81',
    ],
    [
      'where slashes stand before and after the path',
      { headers: { host: 'api.example' }, requestContext: { path: '/prod//openapi.json//' } },
      'http://api.example/prod',
    ],
    ['where nothing is said', {}, 'http://localhost'],
  ])('%s', (_, event, url) => {
    expect(baseUrlOf(eventWith(event), '/openapi.json')).toBe(url)
  })
})
