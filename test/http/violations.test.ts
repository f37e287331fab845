import fc from 'fast-check'
import { formatPath, pointerSegments } from '../../shared/http/validation/field-path.ts'
import { quoted } from '../../shared/http/validation/quoted.ts'
import { suggestion } from '../../shared/http/validation/suggest.ts'
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
])('the path in an error writes the pointer "%s" as %s', (pointer, path) => {
  expect(formatPath(pointerSegments(pointer))).toBe(path)
})

it('the path in an error is short and valid Unicode', () => {
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
  ['text in quotes', 'EURO', '"EURO"'],
  ['a number', 1.5, '1.5'],
  ['null', null, 'null'],
  ['an object without what is in it', { name: 'Ann' }, 'an object'],
  ['a list by its length', [], 'a list of 0 items'],
  ['long text cut between characters', `x${'😀'.repeat(90)}`, `"x${'😀'.repeat(49)}…"`],
  ['what is not there', undefined, 'nothing'],
  ['100 characters', 'x'.repeat(100), `"${'x'.repeat(100)}"`],
])('the value in an error shows %s', (_, value, expected) => {
  expect(quoted(value)).toBe(expected)
})

const known = ['id', 'name', 'currency', 'customer_id', 'percent_off', 'period_start', 'period_end']

it.each([
  ['currency', 'CURRENCY'],
  ['customer_id', 'customerId customer-id costumerid'],
  ['percent_off', 'percent'],
  ['period_start', 'Period'],
  ['period_end', 'periodend'],
  ['id', 'ID'],
])('suggests %s for %s', (expected, names) => {
  for (const name of names.split(' ')) expect(suggestion(name, known)).toBe(`; did you mean ${expected}?`)
})

it.each(['', 'x'.repeat(200), ...'zzzzzzzzzzzzzzzzz it i ix idx no gate per cu _ ü'.split(' ')])(
  'lists all known names for %s, which resembles none',
  (name) => {
    expect(suggestion(name, known)).toBe(`; use one of: ${known.join(', ')}`)
  },
)

it('suggests names with one letter added, removed, changed or two swapped, from four letters on', () => {
  const long = known.filter((each) => each.length > 3)
  const letter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz')
  fc.assert(
    fc.property(fc.constantFrom(...long), fc.nat(), letter, (name, place, other) => {
      const at = place % (name.length - 1)
      const [before, here, next, rest] = [name.slice(0, at), name[at]!, name[at + 1]!, name.slice(at + 2)]
      for (const wrong of [
        before + other + here + next + rest,
        before + next + rest,
        before + other + next + rest,
        before + next + here + rest,
      ])
        expect(suggestion(wrong, long)).toBe(`; did you mean ${name}?`)
    }),
    { numRuns: runs(200, 10_000) },
  )
})
