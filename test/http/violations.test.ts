import fc from 'fast-check'
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
