import fc from 'fast-check'
import { levels, stacked } from '../../../console/charts/plot-scale.ts'

it('series lie on one another, those above 0 and those below apart', () => {
  expect(
    stacked([
      [3, -1],
      [2, 4],
      [-5, -2],
    ]),
  ).toEqual([
    { from: [0, 0], to: [3, -1] },
    { from: [3, 0], to: [5, 4] },
    { from: [0, -1], to: [-5, -3] },
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
])('the lines of %j are at %j', (series, expected) => expect(levels(series)).toEqual(expected))

it('a plot has few lines at whole numbers, around all of its values', () => {
  const values = fc.array(fc.integer({ min: -1e12, max: 1e12 }), { minLength: 3, maxLength: 3 })
  fc.assert(
    fc.property(fc.array(values, { minLength: 1, maxLength: 4 }), (series) => {
      const lines = levels(series)
      const ends = stacked(series).flatMap(({ to }) => to)
      expect(lines.length).toBeLessThanOrEqual(8)
      expect(lines.every(Number.isInteger)).toBe(true)
      expect(lines).toContain(0)
      expect(lines[0]).toBeLessThanOrEqual(Math.min(...ends))
      expect(lines.at(-1)).toBeGreaterThanOrEqual(Math.max(...ends))
    }),
  )
})
