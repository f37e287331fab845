import { cohortAverages, cohortsByQuarter } from '../../../client/analytics/index.ts'
import { monthFrom } from '../../../console/text/time-span.ts'

const month = (name: string): number => monthFrom(name)!

/** Each cohort has a value for its own month and each later month until the current one, May 2026. */
const cohorts = [
  { month: month('2025-12'), values: [8, 8, 7, 6, 6, 5] },
  { month: month('2026-01'), values: [10, 9, 8, 8, 7] },
  { month: month('2026-03'), values: [4, 4, 2] },
  { month: month('2026-05'), values: [3] },
]

describe('cohorts of quarters', () => {
  it('have the sum of their first values, and then the sum at the end of each later quarter, or now', () => {
    expect(cohortsByQuarter(cohorts, month('2026-05'))).toEqual([
      // The cohort of December: its value in December, at the end of March, and in May.
      { month: month('2025-10'), values: [8, 6, 5] },
      // The cohorts of January and March: 10 + 4 in their first months, and 7 + 2 in May.
      { month: month('2026-01'), values: [14, 9] },
      { month: month('2026-04'), values: [3] },
    ])
  })

  it('are an empty list if no customer joined', () => {
    expect(cohortsByQuarter([], month('2026-05'))).toEqual([])
  })
})

describe('the averages of cohorts', () => {
  it('include only cohorts that are old enough, and weigh their shares by size', () => {
    const averages = cohortAverages(cohorts)
    expect(averages).toHaveLength(6)
    expect(averages[0]).toEqual({ mean: 25 / 4, share: 1 })
    // In their second months, December has 8 of 8, January 9 of 10 and March 4 of 4.
    expect(averages[1]).toEqual({ mean: 7, share: 21 / 22 })
    expect(averages[5]).toEqual({ mean: 5, share: 5 / 8 })
  })

  it('have no share if the cohorts began with 0', () => {
    expect(cohortAverages([{ month: month('2026-05'), values: [0, 0] }])[1]).toEqual({ mean: 0, share: null })
  })
})
