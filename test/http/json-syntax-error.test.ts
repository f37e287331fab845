import fc from 'fast-check'
import { jsonSyntaxError } from '../../shared/http/validation/json-syntax-error.ts'
import { runs } from '../support/runs.ts'

const name = 'a field name in double quotes'

it.each([
  ['', 0, 'a value'],
  ['{', 1, `${name} or "}"`],
  ['{"a"', 4, '":"'],
  ['{"a":', 5, 'a value'],
  ['{"a":1', 6, '"," or "}"'],
  ['{"a":1,}', 7, name],
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

/** Returns the brackets that close all open objects and lists at the end of a text. */
const closing = (json: string): string => {
  const open: string[] = []
  for (const mark of json.replace(/"(?:[^"\\]|\\.)*"?/gs, '').replace(/[^{}[\]]/g, ''))
    if (mark === '{' || mark === '[') open.push(mark === '{' ? '}' : ']')
    else open.pop()
  return open.reverse().join('')
}
const isJson = (json: string): boolean => {
  try {
    JSON.parse(json)
    return true
  } catch {
    return false
  }
}
const endings = ['', '1', '"":1', ':1', '"', '":1']
const piece = fc.constantFrom(...'{}[],:"\\ \n\t\u0000\u007f1.e-', 'null', '"a"', '\\u0041', '\\"', 'é')
const damaged = fc
  .tuple(fc.json({ maxDepth: 4 }), fc.nat(), fc.nat(3), fc.array(piece, { maxLength: 3 }))
  .map(([json, place, dropped, pieces]) => {
    const at = place % (json.length + 1)
    return json.slice(0, at) + pieces.join('') + json.slice(at + dropped)
  })

it('finds a syntax error exactly where JSON.parse does, after a prefix of valid JSON', () => {
  let errors = 0
  fc.assert(
    fc.property(
      fc.oneof(
        damaged,
        fc.array(piece).map((pieces) => pieces.join('')),
      ),
      (json) => {
        const error = jsonSyntaxError(json)
        expect({ json, value: error === undefined }).toEqual({ json, value: isJson(json) })
        if (!error) return
        errors += 1
        const before = json.slice(0, error.index)
        const whole = endings.map((ending) => before + ending + closing(before)).filter(isJson)
        expect({ json, index: error.index, isLonger: whole.length > 0 }).toEqual({
          json,
          index: error.index,
          isLonger: true,
        })
      },
    ),
    { numRuns: runs(800, 100_000) },
  )
  expect(errors).toBeGreaterThan(200)
})
