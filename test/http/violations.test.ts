import fc from 'fast-check'
import { jsonSyntaxError } from '../../shared/http/validation/json-syntax-error.ts'
import { quoted } from '../../shared/http/validation/quoted.ts'
import { suggestion } from '../../shared/http/validation/suggest.ts'
import { formatPath, pointerSegments } from '../../shared/http/validation/violations.ts'
import { anyCharacter } from '../support/any-character.ts'
import { runs } from '../support/runs.ts'

it.each([
  ['/line_items/2/currency', 'line_items[2].currency'],
  ['/metadata/a~1b~0c', 'metadata["a/b~c"]'],
  ['/metadata/', 'metadata[""]'],
  ['/metadata/~01', 'metadata["~1"]'],
  ['/0/a/1', '[0].a[1]'],
  ['/metadata/1234567890', 'metadata["1234567890"]'],
  ['', ''],
])('writes the JSON pointer "%s" as the path %s', (pointer, path) => {
  expect(formatPath(pointerSegments(pointer))).toBe(path)
})

it('writes any path as a short text of valid Unicode', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: anyCharacter, maxLength: 120 }), { maxLength: 20 }), (names) => {
      const path = formatPath(names)
      expect(path.isWellFormed()).toBe(true)
      expect(path.length).toBeLessThan(12 * 620)
    }),
    { numRuns: runs(60, 10_000) },
  )
})

it.each([
  ['a text in quotes', 'EURO', '"EURO"'],
  ['a number', 1.5, '1.5'],
  ['null', null, 'null'],
  ['an object without its content', { name: 'Ann' }, 'an object'],
  ['a list by its length', [], 'a list of 0 items'],
  ['a long text, truncated between characters', `x${'😀'.repeat(90)}`, `"x${'😀'.repeat(49)}…"`],
  ['an absent value as nothing', undefined, 'nothing'],
  ['a text of 100 characters as a whole', 'x'.repeat(100), `"${'x'.repeat(100)}"`],
])('quotes %s', (_, value, expected) => {
  expect(quoted(value)).toBe(expected)
})

const knownNames = ['id', 'name', 'currency', 'customer_id', 'percent_off', 'period_start', 'period_end']

it.each([
  ['currency', 'CURRENCY'],
  ['customer_id', 'customerId customer-id costumerid'],
  ['percent_off', 'percent'],
  ['period_start', 'Period'],
  ['period_end', 'periodend'],
  ['id', 'ID'],
])('suggests %s for %s', (expected, names) => {
  for (const name of names.split(' '))
    expect(suggestion(name, knownNames)).toBe(`; did you mean ${expected}?`)
})

it.each(['', 'x'.repeat(200), ...'zzzzzzzzzzzzzzzzz it i ix idx no gate per cu _ ü'.split(' ')])(
  'lists all known names for %s, which is similar to none of them',
  (name) => {
    expect(suggestion(name, knownNames)).toBe(`; use one of: ${knownNames.join(', ')}`)
  },
)

it('suggests a name of four or more letters if a letter is added, removed or changed, or two letters are swapped', () => {
  const longNames = knownNames.filter(({ length }) => length > 3)
  const letter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz')
  fc.assert(
    fc.property(fc.constantFrom(...longNames), fc.nat(), letter, (name, place, other) => {
      const index = place % (name.length - 1)
      const before = name.slice(0, index)
      const here = name.charAt(index)
      const next = name.charAt(index + 1)
      const rest = name.slice(index + 2)
      const added = before + other + here + next + rest
      const removed = before + next + rest
      const changed = before + other + next + rest
      const swapped = before + next + here + rest
      for (const misspelled of [added, removed, changed, swapped])
        expect(suggestion(misspelled, longNames)).toBe(`; did you mean ${name}?`)
    }),
    { numRuns: runs(200, 10_000) },
  )
})

const fieldName = 'a field name in double quotes'

it.each([
  ['', 0, 'a value'],
  ['{', 1, `${fieldName} or "}"`],
  ['{"a"', 4, '":"'],
  ['{"a":', 5, 'a value'],
  ['{"a":1', 6, '"," or "}"'],
  ['{"a":1,}', 7, fieldName],
  ['[', 1, 'a value or "]"'],
  ['[1', 2, '"," or "]"'],
  ['[1,]', 3, 'a value'],
  ['{}}', 2, 'the end of the body'],
  ['nul', 0, 'a value'],
  ['01', 1, 'the end of the body'],
  ['"a', 2, 'an escaped character or a closing quote'],
  ['{"a\\x":1}', 3, 'an escaped character or a closing quote'],
  ['["\\u12g4"]', 2, 'an escaped character or a closing quote'],
  ['["a\tb"]', 3, 'an escaped character or a closing quote'],
  ['[\u00a01]', 1, 'a value or "]"'],
])('finds the first syntax error of %j at %i, where it expects %s', (json, index, expected) => {
  expect(jsonSyntaxError(json)).toEqual({ index, expected })
})

it('searches for a syntax error no further than the tokens of an acceptable body', () => {
  const expected = 'valid JSON from there on'
  expect(jsonSyntaxError('['.repeat(50_000))).toEqual({ index: 40_000, expected })
})

const closingBrackets = (json: string): string => {
  const withoutTexts = json.replace(/"(?:[^"\\]|\\.)*"?/gs, '')
  const expected: string[] = []
  for (const character of withoutTexts)
    if (character === '{') expected.push('}')
    else if (character === '[') expected.push(']')
    else if (character === '}' || character === ']') expected.pop()
  return expected.reverse().join('')
}
const isJson = (json: string): boolean => {
  try {
    JSON.parse(json)
    return true
  } catch {
    return false
  }
}
/** What may be missing between the place of an error and the closing brackets. */
const endings = ['', '1', '"":1', ':1', '"', '":1']

const isBeginningOfJson = (text: string): boolean =>
  endings.some((ending) => isJson(text + ending + closingBrackets(text)))

/** Pieces of JSON, and characters that JSON does not allow outside of texts. */
const piece = fc.constantFrom(...'{}[],:"\\ \n\t\u0000\u007f1.e-', 'null', '"a"', '\\u0041', '\\"', 'é')
/** JSON texts in which some characters are replaced by pieces. */
const damagedJson = fc
  .tuple(fc.json({ maxDepth: 4 }), fc.nat(), fc.nat(3), fc.array(piece, { maxLength: 3 }))
  .map(([json, place, dropped, pieces]) => {
    const index = place % (json.length + 1)
    return json.slice(0, index) + pieces.join('') + json.slice(index + dropped)
  })

it('finds a syntax error exactly in the texts that JSON.parse refuses, after a beginning of a JSON text', () => {
  const joinedPieces = fc.array(piece).map((pieces) => pieces.join(''))
  let errorCount = 0
  fc.assert(
    fc.property(fc.oneof(damagedJson, joinedPieces), (json) => {
      const error = jsonSyntaxError(json)
      expect({ json, isValid: error === undefined }).toEqual({ json, isValid: isJson(json) })
      if (!error) return
      errorCount += 1
      const beginning = json.slice(0, error.index)
      expect({ json, beginning, isValid: isBeginningOfJson(beginning) }).toEqual({
        json,
        beginning,
        isValid: true,
      })
    }),
    { numRuns: runs(800, 100_000) },
  )
  expect(errorCount).toBeGreaterThan(200)
})
