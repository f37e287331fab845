import { monthText } from '../text/dates.ts'
import { roundMoney } from '../text/format.ts'
import type { PlotData } from './plot-data.ts'
import { AMOUNTS_WIDTH, PLOT_HEIGHT, type PlotScales } from './plot-scale.ts'

/** The width of the name of a month with the space to the next one, and half the width of the name alone, in pixels. */
const MONTH_LABEL_WIDTH = 76
const HALF_MONTH_NAME = 34
/** The name of a month can extend this far below the amounts, in pixels. */
const MONTH_LABEL_OVERLAP = 30

interface AxesProps {
  readonly data: PlotData
  /** The values at which the axis has a line and an amount. */
  readonly ticks: readonly number[]
  readonly scales: PlotScales
  /** The width of the plot, in pixels. */
  readonly width: number
}

const AmountAxis = ({ data: { currency }, ticks, scales: { y }, width }: AxesProps) => (
  <>
    {ticks.map((tick) => (
      <g key={tick}>
        <line x1={AMOUNTS_WIDTH} x2={width} y1={y(tick)} y2={y(tick)} />
        <text x={AMOUNTS_WIDTH - 8} y={y(tick) + 4} text-anchor="end">
          {roundMoney(tick, currency)}
        </text>
      </g>
    ))}
  </>
)

/** The names of as many months as there is space for, counted back from the last one. */
const MonthAxis = ({ data: { months }, scales: { x, monthWidth }, width }: AxesProps) => {
  // The last name is moved to the left, so that the edge of the plot does not cut it. That takes space from the name before it.
  const moved = Math.max(0, HALF_MONTH_NAME - monthWidth / 2)
  const monthsPerLabel = Math.ceil((MONTH_LABEL_WIDTH + moved) / monthWidth)
  const firstCentre = AMOUNTS_WIDTH - MONTH_LABEL_OVERLAP + MONTH_LABEL_WIDTH / 2
  const last = months.length - 1
  const hasLabel = (index: number) => (last - index) % monthsPerLabel === 0 && x(index) > firstCentre
  return (
    <>
      {months.map((month, index) =>
        hasLabel(index) ? (
          <text
            key={month}
            x={Math.min(x(index), width - HALF_MONTH_NAME)}
            y={PLOT_HEIGHT - 6}
            text-anchor="middle"
          >
            {monthText(month)}
          </text>
        ) : null,
      )}
    </>
  )
}

/** The lines and names of the two axes of a plot. */
export const Axes = (props: AxesProps) => (
  <>
    <AmountAxis {...props} />
    <MonthAxis {...props} />
  </>
)
