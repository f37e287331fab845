import type { Month } from '../../client/analytics/index.ts'
import { monthText } from '../text/dates.ts'
import { beginning, money } from '../text/format.ts'

/** The names of the colours of series in tokens.css. */
export type Colour =
  | `series-${1 | 2 | 3 | 4 | 5 | 'others'}`
  | 'new'
  | 'reactivated'
  | 'expansion'
  | 'contraction'
  | 'lost'

export interface PlotSeries {
  readonly key: string
  readonly label: string
  readonly colour: Colour
  /** A value for each month: an amount in minor units, or a count. */
  readonly values: readonly number[]
  readonly linkOfMonth?: (month: Month) => string
}

export interface CurrentMonth {
  readonly index: number
  /** The suffix of its name, such as " so far", since only a part of it counts. */
  readonly suffix: string
}

export interface PlotData {
  readonly title: string
  /** Areas are stacked. Bars are stacked too, those above 0 and those below 0 separately. Lines are not stacked. */
  readonly kind: 'areas' | 'bars' | 'lines'
  readonly months: readonly Month[]
  readonly series: readonly PlotSeries[]
  /** The currency of the values; undefined if they are counts. */
  readonly currency: string | undefined
  readonly currentMonth: CurrentMonth
}

const MAX_LABEL = 40

/** Returns the name of a month, such as "Oct 2026", or "Nov 2026 so far" for the current one. */
export const monthLabel = ({ months, currentMonth }: PlotData, monthIndex: number): string =>
  `${monthText(months[monthIndex]!)}${monthIndex === currentMonth.index ? currentMonth.suffix : ''}`

export const seriesLabel = ({ label }: PlotSeries): string => beginning(label, MAX_LABEL)

/** Returns the values of a month in one sentence, for a screen reader. */
export const monthSentence = (data: PlotData, monthIndex: number): string => {
  const values = data.series.map(
    (series) => `${seriesLabel(series)} ${money(series.values[monthIndex]!, data.currency)}`,
  )
  return `${monthLabel(data, monthIndex)}: ${values.join(', ')}`
}

export const cssColour = (colour: Colour): string => `var(--${colour})`
