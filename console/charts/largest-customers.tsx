import { sum } from 'd3-array'
import type { Overview } from '../figures/overview.ts'
import type { RankingName } from '../figures/ranking.ts'
import { useCopy } from '../frame/copy-context.tsx'
import { CsvButton } from '../parts/csv-button.tsx'
import { Panel } from '../parts/panel.tsx'
import { beginning, money, monthsText, percentText } from '../text/format.ts'
import './charts.css'

export interface RankingData {
  readonly title: string
  readonly name: RankingName
  /** Returns the link of a row by its key; without it, rows are not links. */
  readonly linkOfRow?: (key: string) => string
  readonly allLink?: { readonly text: string; readonly href: string }
  readonly explanation: string
  readonly rule: string
}

interface RankingProps extends RankingData {
  readonly overview: Overview
}

/** The highest amounts of a ranking in one currency, each with a bar that compares it with the highest one, and its share. */
export const RankingBars = ({
  overview,
  title,
  name,
  linkOfRow,
  allLink,
  explanation,
  rule,
}: RankingProps) => {
  const { ask } = useCopy()
  const { currency, range: months } = overview
  const { rows, count, total } = overview.rankings[name]
  // At least 1, since a meter needs a maximum above its minimum.
  const highest = Math.max(1, ...rows.map(({ amount }) => amount))
  const more = count - rows.length
  const topShare = total > 0 ? percentText(sum(rows, ({ amount }) => amount) / total) : undefined
  const csvTitle = `${title}, ${monthsText(months)}`
  return (
    <Panel
      title={title}
      note={`net, ${monthsText(months)}`}
      explanation={explanation}
      rule={rule}
      actions={
        count > 0 && (
          <CsvButton
            title={csvTitle}
            content={(form) => ask('ranking', { name, title: csvTitle, currency, months, form })}
          />
        )
      }
    >
      <ol class="ranking">
        {rows.map(({ key, name: label, amount }) => {
          const text = <bdi>{beginning(label, 60)}</bdi>
          return (
            <li key={key}>
              {linkOfRow ? <a href={linkOfRow(key)}>{text}</a> : text}
              <meter min={0} max={highest} value={Math.max(amount, 0)} aria-hidden="true" />
              <span class="quiet">{total > 0 && percentText(amount / total)}</span>
              <span>{money(amount, currency)}</span>
            </li>
          )
        })}
      </ol>
      <p class="note">
        {count === 0 && 'There are none in these months. '}
        {more > 0 && topShare && `These ${rows.length} make up ${topShare}. `}
        {allLink ? <a href={allLink.href}>{allLink.text}</a> : more > 0 && `${more} more`}
      </p>
    </Panel>
  )
}
