import { shortMonth } from '../text/dates.ts'
import { roundMoney } from '../text/format.ts'
import type { PlotData } from './plot-data.ts'
import { AMOUNTS_WIDTH, type PlotScales, type PlotSize } from './plot-scale.ts'

/** The width of the name of a month with the space to the next one, in pixels. */
const MONTH_LABEL_WIDTH = 34

interface AxesProps {
  readonly data: PlotData
  readonly ticks: readonly number[]
  readonly scales: PlotScales
  readonly size: PlotSize
}

const AmountAxis = ({ data: { currency }, ticks, scales: { y }, size: { width } }: AxesProps) => (
  <>
    {ticks.map((tick) => (
      <g key={tick}>
        <line class={tick === 0 ? 'zero' : ''} x1={AMOUNTS_WIDTH} x2={width} y1={y(tick)} y2={y(tick)} />
        <text x={AMOUNTS_WIDTH - 8} y={y(tick) + 4} text-anchor="end">
          {roundMoney(tick, currency)}
        </text>
      </g>
    ))}
  </>
)

/** The names of as many months as there is space for, counted back from the last one. January has its year instead. */
const MonthAxis = ({ data, scales: { x, monthWidth }, size: { height } }: AxesProps) => {
  const { months, currentMonth } = data
  const monthsPerLabel = Math.ceil(MONTH_LABEL_WIDTH / monthWidth)
  const last = months.length - 1
  return (
    <>
      {months.map((month, index) =>
        (last - index) % monthsPerLabel === 0 ? (
          <text
            key={month}
            class={index === currentMonth.index ? 'current' : ''}
            x={x(index)}
            y={height - 6}
            text-anchor="middle"
          >
            {shortMonth(month)}
          </text>
        ) : null,
      )}
    </>
  )
}

export const Axes = (props: AxesProps) => (
  <>
    <AmountAxis {...props} />
    <MonthAxis {...props} />
  </>
)
