import { paperHistories } from './paper.ts'
import { figuresLike, reportedOf } from './written.ts'

describe('the figures of docs/figures.md', () => {
  const all = paperHistories().flatMap(({ title, invoices, seen }) =>
    seen.map((each) => ({ title, invoices, on: new Date(each.now * 1000).toISOString(), each })),
  )

  it('finds more than 40 results in the document', () => expect(all.length).toBeGreaterThan(40))

  it.each(all)('computes the results of "$title" on $on', ({ invoices, each }) => {
    expect(figuresLike(invoices, each)).toEqual(each.rows)
    expect(reportedOf(invoices, each)).toBe(each.reported)
  })
})
