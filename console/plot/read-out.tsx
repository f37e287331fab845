import { money } from '../text/format.ts'
import { type Colour, cssColour, monthLabel, type PlotData, seriesLabel } from './plot-data.ts'

/** The key of a series: a square in its colour. */
export const Key = ({ colour }: { readonly colour: Colour }) => (
  <svg class="key" viewBox="0 0 1 1" aria-hidden="true">
    <rect width="1" height="1" fill={cssColour(colour)} />
  </svg>
)

interface ReadOutProps {
  readonly data: PlotData
  readonly monthIndex: number
}

/** The values of one month, above the plot. */
export const ReadOut = ({ data, monthIndex }: ReadOutProps) => {
  const { series, currency } = data
  return (
    <p class="read-out">
      <b>{monthLabel(data, monthIndex)}</b>
      {series.map((shown) => (
        <span key={shown.key}>
          <Key colour={shown.colour} />
          <bdi>{seriesLabel(shown)}</bdi> {money(shown.values[monthIndex]!, currency)}
        </span>
      ))}
    </p>
  )
}
