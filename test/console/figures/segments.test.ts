import type { MovementsMonth } from '../../../client/analytics/index.ts'
import { planGrowth } from '../../../console/figures/plan-growth.ts'
import { segmentMovements } from '../../../console/figures/segment-figures.ts'
import { segmentOf } from '../../../console/records/segments.ts'

it('the movements of a segment add up over the months, and are 0 without months', () => {
  const movements = { new: 20, reactivation: 3, expansion: 4, contraction: -5, churn: -10 }
  const first = { ...movements, month: 600, name: '', start: 100, end: 112, customers: 1 }
  const second = { ...movements, month: 601, name: '', start: 112, end: 124, customers: 1 }
  const months = new Map<number, MovementsMonth>([
    [600, first],
    [601, second],
  ])
  const empty = { value: 'empty', months: new Map(), billed: 0 }
  expect(segmentMovements([empty, { value: 'DE', months, billed: 0 }], [600, 601])).toEqual([
    {
      value: 'DE',
      start: 100,
      new: 40,
      reactivation: 6,
      expansion: 8,
      contraction: -10,
      churn: -20,
      end: 124,
    },
    { value: 'empty', start: 0, new: 0, reactivation: 0, expansion: 0, contraction: 0, churn: 0, end: 0 },
  ])
})

it('the growth of a plan is its revenue now less the revenue before the months, largest first', () => {
  const monthWith = (plans: Readonly<Record<string, number>>) => ({
    month: 600,
    name: '',
    total: 0,
    plans: Object.entries(plans).map(([key, amount]) => ({ key, name: key, amount })),
  })
  const before = monthWith({ shrinks: 500, ends: 100, grows: 100 })
  const last = monthWith({ shrinks: 450, grows: 300, begins: 40 })
  expect(planGrowth(before, last)).toEqual([
    { key: 'grows', name: 'grows', start: 100, end: 300 },
    { key: 'begins', name: 'begins', start: 0, end: 40 },
    { key: 'shrinks', name: 'shrinks', start: 500, end: 450 },
    { key: 'ends', name: 'ends', start: 100, end: 0 },
  ])
  expect(planGrowth(undefined, last).map(({ start }) => start)).toEqual([0, 0, 0])
})

it.each([
  [{ country: 'DE' }, 'DE'],
  [{ country: '' }, 'none'],
  [{ country: null }, 'none'],
  [{}, 'none'],
  [undefined, 'none'],
  [{ country: 0 }, '0'],
  [{ country: false }, 'false'],
  [{ country: { code: 'DE' } }, '{"code":"DE"}'],
])('metadata %j is in the segment "%s"', (metadata, expected) => {
  expect(segmentOf(metadata === undefined ? {} : { metadata }, 'country')).toBe(expected)
})
