import { paperHistories } from './paper.ts'
import { figuresLike, toldOf } from './written.ts'

describe('the figures of docs/figures.md', () => {
  const all = paperHistories().flatMap(({ title, invoices, seen }) =>
    seen.map((each) => ({ title, invoices, on: new Date(each.now * 1000).toISOString(), each })),
  )

  it('are read from the document, more than 40 of them', () => expect(all.length).toBeGreaterThan(40))

  it.each(all)('$title, seen on $on', ({ invoices, each }) => {
    expect(figuresLike(invoices, each)).toEqual(each.rows)
    expect(toldOf(invoices, each)).toBe(each.told)
  })
})
