import { averagesOf, byQuarter } from '../../../console/figures/cohorts.ts'
import { monthFrom } from '../../../console/text/time-span.ts'

const month = (name: string): number => monthFrom(name)!

/** Each cohort has a value for its own month and every later one until May 2026, which is running. */
const cohorts = [
  { month: month('2025-12'), values: [8, 8, 7, 6, 6, 5] },
  { month: month('2026-01'), values: [10, 9, 8, 8, 7] },
  { month: month('2026-03'), values: [4, 4, 2] },
  { month: month('2026-05'), values: [3] },
]

describe('cohorts of quarters', () => {
  it('begin with what was new in their months, and have the end of each later quarter, or now', () => {
    expect(byQuarter(cohorts, month('2026-05'))).toEqual([
      // The end of March 2026, and of May.
      { month: month('2025-10'), values: [8, 6, 5] },
      // January and March, and in May 7 and 2 of them.
      { month: month('2026-01'), values: [14, 9] },
      { month: month('2026-04'), values: [3] },
    ])
  })

  it('are none if nobody joined', () => {
    expect(byQuarter([], month('2026-05'))).toEqual([])
  })
})

describe('the averages of cohorts', () => {
  it('are of those that are old enough, and a greater cohort weighs more', () => {
    const averages = averagesOf(cohorts)
    expect(averages).toHaveLength(6)
    expect(averages[0]).toEqual({ mean: 25 / 4, share: 1 })
    // December, January and March: 8 of 8, 9 of 10 and 4 of 4.
    expect(averages[1]).toEqual({ mean: 7, share: 21 / 22 })
    expect(averages[5]).toEqual({ mean: 5, share: 5 / 8 })
  })

  it('have no share of nothing', () => {
    expect(averagesOf([{ month: month('2026-05'), values: [0, 0] }])[1]).toEqual({ mean: 0, share: null })
  })
})
