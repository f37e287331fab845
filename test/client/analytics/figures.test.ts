import { paperHistories } from './documented-figures.ts'
import { reportedCounts, rowsLike } from './written-figures.ts'

describe('the figures of docs/figures.md', () => {
  const examples = paperHistories().flatMap(({ title, invoices, customers, expectations }) =>
    expectations.map((expected) => ({
      title,
      date: new Date(expected.now * 1000).toISOString(),
      invoices,
      customers,
      expected,
    })),
  )

  it('are found in more than 40 tables', () => expect(examples.length).toBeGreaterThan(40))

  it.each(examples)('are the figures of "$title" on $date', ({ invoices, customers, expected }) => {
    expect(rowsLike(invoices, expected, customers)).toEqual(expected.rows)
    expect(reportedCounts(invoices, expected)).toBe(expected.reported)
  })
})
