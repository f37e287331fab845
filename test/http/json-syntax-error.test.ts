import fc from 'fast-check'
import { jsonSyntaxError } from '../../shared/http/validation/json-syntax-error.ts'
import { runs } from '../support/runs.ts'

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
