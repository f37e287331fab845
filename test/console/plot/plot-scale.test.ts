import fc from 'fast-check'
import { axisTicks, stacked } from '../../../console/plot/plot-scale.ts'

it('stacks series on one another, values above 0 and below 0 separately', () => {
  expect(
    stacked([
      [3, -1],
      [2, 4],
      [-5, -2],
    ]),
  ).toEqual([
    { starts: [0, 0], ends: [3, -1] },
    { starts: [3, 0], ends: [5, 4] },
    { starts: [0, -1], ends: [-5, -3] },
  ])
})

it.each([
  [[[0]], [0, 1]],
  [[[3]], [0, 1, 2, 3]],
  [
    [[100], [-30]],
    [-50, 0, 50, 100],
  ],
  [[[]], [0, 1]],
])('has the axis ticks for the series %j: %j', (series, expected) =>
  expect(axisTicks(series)).toEqual(expected),
)

it('has at most eight axis ticks, at whole numbers, that enclose all values', () => {
  const threeValues = fc.array(fc.integer({ min: -1e12, max: 1e12 }), { minLength: 3, maxLength: 3 })
  fc.assert(
    fc.property(fc.array(threeValues, { minLength: 1, maxLength: 4 }), (series) => {
      const ticks = axisTicks(series)
      const ends = stacked(series).flatMap(({ ends: stackedEnds }) => stackedEnds)
      expect(ticks.length).toBeLessThanOrEqual(8)
      expect(ticks.every(Number.isInteger)).toBe(true)
      expect(ticks).toContain(0)
      expect(ticks[0]).toBeLessThanOrEqual(Math.min(...ends))
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(Math.max(...ends))
    }),
  )
})
