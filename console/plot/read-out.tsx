import { money } from '../text/format.ts'
import { colour, monthLabel, type PlotData, seriesLabel } from './plot-data.ts'

interface ReadOutProps {
  readonly data: PlotData
  readonly monthIndex: number
}

/** The values of one month, above the plot. */
export const ReadOut = ({ data, monthIndex }: ReadOutProps) => {
  const { kind, series, currency } = data
  const total = series.reduce((sum, { values }) => sum + values[monthIndex]!, 0)
  return (
    <p class="read-out">
      <b>{monthLabel(data, monthIndex)}</b>
      {kind === 'areas' && series.length > 1 && <span>{`Total ${money(total, currency)}`}</span>}
      {series.map((shown) => (
        <span key={shown.key}>
          <svg class="swatch" viewBox="0 0 1 1" aria-hidden="true">
            <rect width="1" height="1" fill={colour(shown.hue)} />
          </svg>
          <bdi>{seriesLabel(shown)}</bdi> {money(shown.values[monthIndex]!, currency)}
        </span>
      ))}
    </p>
  )
}
