import type { Overview } from '../figures/overview.ts'
import { AmountsPanel } from '../tables/amounts-panel.tsx'
import { changeText, monthsText } from '../text/format.ts'
import { customersOfSegment } from './chart-links.ts'

interface SegmentMovementsProps {
  /** The key of the customers' metadata whose values are the segments. */
  readonly by: string
  readonly overview: Overview
  readonly movements: NonNullable<Overview['segments']>
}

/** The movements of each segment's recurring revenue, over all months that are shown. */
export const SegmentMovements = ({ by, overview: { currency, range }, movements }: SegmentMovementsProps) => (
  <AmountsPanel
    title={`Movements by ${by}, net, ${monthsText(range)}`}
    rule="7-movements"
    explanation={`The movements of the months that are shown, added up for the customers with each value of “${by}”: start + new + reactivated + expansion + contraction + lost = now. A customer without a value is in “none”.`}
    currency={currency}
    rows={movements}
    texts={{ [by]: ({ value }) => value }}
    amounts={{
      Start: ({ start }) => start,
      New: (segment) => segment.new,
      [changeText('reactivation')]: ({ reactivation }) => reactivation,
      Expansion: ({ expansion }) => expansion,
      Contraction: ({ contraction }) => contraction,
      [changeText('churn')]: ({ churn }) => churn,
      Now: ({ end }) => end,
    }}
    hrefOf={({ value }) => customersOfSegment(currency, by, value)}
  />
)
