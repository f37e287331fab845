import { containing, fold } from '../../console/text/fold.ts'

it.each([
  ['customer 9', 'Customer 9', true],
  ['customer 9', 'customer-90', true],
  ['customer 9', 'Customer 8, $49.00', false],
  ['- 9', 'a - 9', true],
  ['9', '19', false],
  ['muller', 'Müller', true],
  ['no tax', 'Nova, tax', false],
  ['no tax', 'No tax, Nova', true],
  ['no ta', 'no taxes', true],
  ['tax no', 'tax, Nova', true],
  ['ova', 'Nova', false],
  ['ann example.org', 'ann@example.org', true],
  ['京', '東京', true],
  ['иван', 'Иван Петров', true],
])('reports whether the typed %j is in the text %j: %s', (typed, text, expected) => {
  expect(containing(typed)(fold(text))).toBe(expected)
})

// A search in quadratic time would take minutes for this many characters.
const many = 200_000
it.each([
  ['a number after a dash, in dashes', '- 9', '-'.repeat(many)],
  ['a number after a word, before dashes', 'customer 9', `customer${'-'.repeat(many)}`],
  ['many digits before a letter', `${'1'.repeat(many)}x`, 'customer 1'],
])('searches in linear time for %s', (_, typed, text) => {
  expect(containing(typed)(fold(text))).toBe(false)
})
