import fc from 'fast-check'
import type { Position } from '../../shared/pagination/cursor.ts'
import { fitting } from '../../shared/pagination/page.ts'
import { runs } from '../support/runs.ts'

const next: Position = { direction: 'next', order: 'x' }
const previous: Position = { direction: 'previous', order: 'x' }

// test/api/list-walks.test.ts shows which entities a page has otherwise.
const sizes = fc.array(fc.nat(100), { minLength: 1, maxLength: 30 })
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

it.each([undefined, next, previous])(
  'a page that is too large keeps as many entities as fit, from the side of its cursor: %j',
  (position) => {
    fc.assert(
      fc.property(sizes, fc.nat(600), (all, most) => {
        const page = {
          items: all,
          hasPrevious: position !== undefined,
          hasNext: position?.direction === 'previous',
        }
        const cut = fitting({ limit: 100, position }, page, (size) => size, most)
        const kept = cut.items.length
        const backward = position?.direction === 'previous'
        const beside = (count: number) => (backward ? all.slice(all.length - count) : all.slice(0, count))
        expect(cut.items).toEqual(beside(kept))
        expect(kept).toBeGreaterThanOrEqual(1)
        if (kept > 1) expect(sum(cut.items)).toBeLessThanOrEqual(most)
        if (kept === all.length) expect(cut).toEqual(page)
        else {
          expect(sum(beside(kept + 1))).toBeGreaterThan(most)
          expect(backward ? cut.hasPrevious : cut.hasNext).toBe(true)
          expect(backward ? cut.hasNext : cut.hasPrevious).toBe(backward ? page.hasNext : page.hasPrevious)
        }
      }),
      { numRuns: runs(300, 10_000) },
    )
  },
)
