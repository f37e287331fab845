import fc from 'fast-check'
import { isExactNumber, isShortNumber, textViolations } from '../../shared/http/validation/exact-json.ts'
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

type Fraction = readonly [numerator: bigint, denominator: bigint]

const fractionOfDecimal = (decimal: string): Fraction => {
  const [digits = '', exponent = '0'] = decimal.split(/e/i)
  const [whole = '', places = ''] = digits.split('.')
  const integer = BigInt(whole + places)
  const power = Number(exponent) - places.length
  const powerOfTen = 10n ** BigInt(Math.abs(power))
  return power < 0 ? [integer, powerOfTen] : [integer * powerOfTen, 1n]
}

const fractionOfDouble = (double: number): Fraction => {
  const bits = new DataView(new Float64Array([double]).buffer).getBigUint64(0, true)
  const isNegative = bits >> 63n === 1n
  const exponentBits = (bits >> 52n) & 0x7ffn
  const fractionBits = bits & (2n ** 52n - 1n)
  // A subnormal number has no implicit leading bit.
  const isSubnormal = exponentBits === 0n
  const mantissa = isSubnormal ? fractionBits : fractionBits + 2n ** 52n
  const power = isSubnormal ? -1074n : exponentBits - 1075n
  const numerator = isNegative ? -mantissa : mantissa
  return power < 0n ? [numerator, 2n ** -power] : [numerator * 2n ** power, 1n]
}

const areEqual = ([a, b]: Fraction, [c, d]: Fraction): boolean => a * d === c * b

const inFull = (double: number): string => {
  const [numerator, denominator] = fractionOfDouble(Math.abs(double))
  let digits = numerator
  let places = 0
  while (digits % denominator !== 0n) {
    digits *= 10n
    places += 1
  }
  const text = `${digits / denominator}`.padStart(places + 1, '0')
  const whole = text.slice(0, text.length - places)
  return `${double < 0 ? '-' : ''}${whole}${places > 0 ? `.${text.slice(-places)}` : ''}`
}

/** Doubles of every size, and doubles that are integers times a power of two. */
const doubles = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.double({ noNaN: true, min: -1e25, max: 1e25 }),
  fc
    .tuple(fc.maxSafeInteger(), fc.integer({ min: -60, max: 60 }))
    .map(([integer, power]) => integer * 2 ** power),
)
/**
 * Numbers in the notations of JSON: doubles in full, rounded, with another last digit, and with zeros and a
 * power of ten.
 */
const decimals = doubles.chain((value) =>
  fc.oneof(
    fc.constantFrom(inFull(value), String(value)),
    fc.integer({ min: 1, max: 110 }).map((digits) => value.toExponential(Math.min(digits, 100))),
    fc.integer({ min: 0, max: 9 }).map((digit) => `${inFull(value).slice(0, -1)}${digit}`),
    fc.tuple(fc.nat(40), fc.integer({ min: -40, max: 40 })).map(([zeros, power]) => {
      const full = inFull(value)
      return `${full}${full.includes('.') ? '' : '.0'}${'0'.repeat(zeros)}e${power}`
    }),
  ),
)

const edgeCases = [
  ...['-0.0', '0e99999', '5e-324', '1e-400', '1e309', '9007199254740992.000', '9007199254740993'],
  ...[`${2n ** 60n * 10n ** 10n}`, `${2n ** 1023n}`, `${2n ** 1024n}`, '123456789012345e99', '1E999'],
]

const isHeldByDouble = (number: string): boolean => {
  const double = Number(number)
  if (!Number.isFinite(double)) return false
  const exact = fractionOfDecimal(number)
  return areEqual(exact, fractionOfDouble(double)) || areEqual(exact, fractionOfDecimal(String(double)))
}

const manyNumbers = { numRuns: runs(600, 100_000), examples: edgeCases.map((number): [string] => [number]) }

it('accepts a number as exact if and only if a double holds it, as fractions of integers show', () => {
  let exactCount = 0
  let roundedCount = 0
  fc.assert(
    fc.property(decimals, (number) => {
      const isExact = isHeldByDouble(number)
      expect({ number, isExact: isExactNumber(number) }).toEqual({ number, isExact })
      if (isExact) exactCount += 1
      else roundedCount += 1
    }),
    manyNumbers,
  )
  expect(exactCount).toBeGreaterThan(50)
  expect(roundedCount).toBeGreaterThan(50)
})

it('skips the check only of numbers that a double holds', () => {
  let skippedCount = 0
  fc.assert(
    fc.property(decimals, (number) => {
      const isSkipped = isShortNumber(`[${number},1]`, 1, 1 + number.length)
      if (!isSkipped) return
      skippedCount += 1
      expect({ number, isExact: isHeldByDouble(number) }).toEqual({ number, isExact: true })
    }),
    manyNumbers,
  )
  expect(skippedCount).toBeGreaterThan(0)
})
