import fc from 'fast-check'
import { textViolations } from '../../shared/http/validation/exact-json.ts'
import { range } from '../support/range.ts'
import { runs } from '../support/runs.ts'

const inexactProblem = (number: string) =>
  `must be a number that a double holds exactly (got ${number}); send it as a string`
const pathsOf = (json: string) => textViolations(json).map(({ path }) => path)

it.each([
  ['a key given twice, once with an escape', '{"id":1,"\\u0069d":2}', ['id']],
  ['a key given twice deep down', '{"metadata":{"a":[[{"b c":1,"b c":1}]]}}', ['metadata.a[0][0]["b c"]']],
  ['2^53 + 1', '{"total":9007199254740993}', ['total']],
  ['a key after a list', '{"a":[1,{}],"a":2}', ['a']],
  ['a key given twice after an object', '{"a":{"b":1},"c":1,"c":2}', ['c']],
  ['a key that ends in an escape', '{"a\\\\":1,"a\\\\":2}', ['["a\\\\"]']],
  ['a number that is the whole text', '9007199254740993', ['body']],
  ['the name of a prototype with an escape', '{"__prot\\u006f__":1}', ['__proto__']],
  ["a constructor's prototype", '{"constructor":{"prototype":{}}}', ['constructor.prototype']],
])('reports %s', (_, json, expected) => {
  expect(pathsOf(json)).toEqual(expected)
})

it.each([
  ['exponents', '{"n":1e2,"m":1E+2,"o":1.5e-7,"p":12e-1,"q":1e300,"r":0e999}'],
  ['one key in two objects', '{"a":{"id":1},"b":[{"id":1},{"id":1}],"id":1}'],
  ['one text as key and value', '{"a":"a","b":"a"}'],
  ['braces, commas and colons in text', '{"a":"},{:,\\"","b":"[\\\\"}'],
  ['a field named constructor', '{"constructor":1,"prototype":2}'],
  ['a field of a constructor', '{"constructor":{"name":1,"a":{"prototype":2}},"a":{"prototype":1}}'],
])('accepts %s', (_, json) => {
  expect(pathsOf(json)).toEqual([])
})

it.each([
  ['a number that a double does not hold', '{"n":[1e999]}', 'n[0]', inexactProblem('1e999')],
  ['a key given twice', '{"n":1,"n":2}', 'n', 'must be given only once'],
  ['the name of a prototype', '{"__proto__":1}', '__proto__', 'must not be used as a field name'],
  [
    'a value with two problems, of which only the first is stated',
    '{"n":1,"n":1e999}',
    'n',
    'must be given only once',
  ],
])('states the rule that is broken by %s', (_, json, path, problem) => {
  expect(textViolations(json)).toEqual([{ path, problem }])
})

it('accepts every output of JSON.stringify', () => {
  const anything = fc.jsonValue({ maxDepth: 5 }).filter((value) => {
    const text = JSON.stringify(value)
    return !text.includes('"__proto__"') && !text.includes('"prototype"')
  })
  fc.assert(
    fc.property(anything, fc.boolean(), (value, indented) => {
      expect(textViolations(JSON.stringify(value, null, indented ? 2 : 0))).toEqual([])
    }),
    { numRuns: runs(500, 10_000) },
  )
})

it('reports every duplicate key of a nested object, up to 50', () => {
  const name = fc.string({ minLength: 1, maxLength: 5 }).filter((text) => text !== '__proto__')
  fc.assert(
    fc.property(fc.dictionary(name, fc.integer(), { minKeys: 1 }), (object) => {
      const members = JSON.stringify(object).slice(1, -1)
      const withDuplicates = `{"outer":[{${members},${members}}]}`
      expect(textViolations(withDuplicates)).toHaveLength(Math.min(50, Object.keys(object).length))
    }),
    { numRuns: runs(200, 10_000) },
  )
})

it('reports at most 50 errors', () => {
  const duplicates = range(200).map((number) => `"k${number}":1,"k${number}":2`)
  expect(pathsOf(`{${duplicates}}`)).toHaveLength(50)
})

it('truncates a long path', () => {
  const [deep = ''] = pathsOf(`${'{"a":'.repeat(31)}1e999${'}'.repeat(31)}`)
  expect(deep).toMatch(/^(a\.){11}a…$/)
})

it.each([
  ['lists', (levels: number) => `{"n":${'['.repeat(levels - 1)}1e999${']'.repeat(levels - 1)}}`],
  ['objects', (levels: number) => `${'{"n":'.repeat(levels)}1e999${'}'.repeat(levels)}`],
])('searches 32 levels of %s and no deeper', (_, nested) => {
  const problemsAt = (levels: number) => textViolations(nested(levels)).map(({ problem }) => problem)
  expect(problemsAt(32)).toEqual([expect.stringContaining('1e999')])
  for (const levels of [33, 100_000])
    expect(problemsAt(levels)).toEqual(['must be nested at most 32 levels deep'])
})

const repeated = (count: number, part: string) => Array(count).fill(part).join()
const keys = (count: number) =>
  range(count)
    .map((number) => `"k${number}":1`)
    .join()

it.each([
  ['keys', (pieces: number) => `{${keys(pieces - 2)},"last":1e999}`],
  ['keys of two objects', (pieces: number) => `{"a":{${keys(2_000)}},${keys(pieces - 2_003)},"last":1e999}`],
  ['long numbers', (pieces: number) => `{"a":[${repeated(pieces - 3, '0.1234567890123456')}],"last":1e999}`],
  [
    'keys of objects in a list',
    (pieces: number) => `{"a":[${repeated(pieces - 3, '{"a":1}')}],"last":1e999}`,
  ],
])('searches 20,000 %s and no more', (_, json) => {
  expect(textViolations(json(20_000))).toEqual([{ path: 'last', problem: expect.stringContaining('1e999') }])
  const problem = 'must be among the first 20000 fields and long numbers of the body'
  for (const pieces of [20_001, 20_002])
    expect(textViolations(json(pieces))).toEqual([{ path: 'last', problem }])
  expect(textViolations(json(24_000))).toEqual([{ path: expect.not.stringContaining('last'), problem }])
})

it('reports many errors at one truncated path once', () => {
  const numbers = Array(100_000).fill('1e999').join()
  expect(pathsOf(`{"n":${'['.repeat(30)}${numbers}${']'.repeat(30)}}`)).toEqual([
    expect.stringMatching(/^n(\[0\])+…$/),
  ])
})

it('checks a long number in linear time', () => {
  const zeros = '0'.repeat(2_000_000)
  expect(pathsOf(`{"n":1.${zeros}1${zeros}}`)).toEqual(['n'])
})
