import { beginning, money } from '../text/format.ts'
import './ranked-amounts.css'

interface RankedAmount {
  readonly key: string
  readonly label: string
  /** An amount in minor units. */
  readonly amount: number
  /** The link of the label, if it has one. */
  readonly link?: string | undefined
}

interface RankedAmountsProps {
  /** The amounts in descending order. */
  readonly rows: readonly RankedAmount[]
  readonly currency: string
}

/** Labelled amounts, each with a bar that compares it with the highest amount. */
export const RankedAmounts = ({ rows, currency }: RankedAmountsProps) => {
  // At least 1, since a meter needs a maximum above its minimum.
  const highest = Math.max(1, ...rows.map(({ amount }) => amount))
  return (
    <ol class="ranked-amounts">
      {rows.map(({ key, label, amount, link }) => {
        const text = <bdi>{beginning(label, 60)}</bdi>
        return (
          <li key={key}>
            {link ? <a href={link}>{text}</a> : text}
            <span>{money(amount, currency)}</span>
            <meter min={0} max={highest} value={Math.max(amount, 0)} aria-hidden="true" />
          </li>
        )
      })}
    </ol>
  )
}
