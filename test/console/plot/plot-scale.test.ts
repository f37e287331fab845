import fc from 'fast-check'
import { axisTicks, stacked } from '../../../console/plot/plot-scale.ts'

it('series lie on one another, those above 0 and those below apart', () => {
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
])('the lines of %j are at %j', (series, expected) => expect(axisTicks(series)).toEqual(expected))

it('a plot has few lines at whole numbers, around all of its values', () => {
  const values = fc.array(fc.integer({ min: -1e12, max: 1e12 }), { minLength: 3, maxLength: 3 })
  fc.assert(
    fc.property(fc.array(values, { minLength: 1, maxLength: 4 }), (series) => {
      const lines = axisTicks(series)
      const ends = stacked(series).flatMap(({ ends: stackedEnds }) => stackedEnds)
      expect(lines.length).toBeLessThanOrEqual(8)
      expect(lines.every(Number.isInteger)).toBe(true)
      expect(lines).toContain(0)
      expect(lines[0]).toBeLessThanOrEqual(Math.min(...ends))
      expect(lines.at(-1)).toBeGreaterThanOrEqual(Math.max(...ends))
    }),
  )
})
