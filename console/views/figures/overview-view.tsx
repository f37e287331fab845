import type { ComponentChildren } from 'preact'
import { customersByBilled, customersOfSegment } from '../../charts/chart-links.ts'
import { type ChartData, ChartPanel } from '../../charts/chart-panel.tsx'
import { RankingBars } from '../../charts/largest-customers.tsx'
import {
  customersChart,
  invoicedChart,
  movementsChart,
  recurringChart,
  renewalsChart,
} from '../../charts/overview-charts.tsx'
import { overviewTiles } from '../../charts/overview-tiles.ts'
import type { Overview } from '../../figures/overview.ts'
import { type Address, linkTo } from '../../frame/address.ts'
import { useAnswer } from '../../frame/copy-context.tsx'
import { Tiles, TilesPlaceholder } from '../../parts/tile.tsx'
import { AmountsPanel } from '../../tables/amounts-panel.tsx'
import { changeText, monthsText } from '../../text/format.ts'
import { FiguresView, figuresQuery } from './figures-view.tsx'

const BILLED_RULE = '1-what-a-line-is-worth'

const chart = (data: ChartData | undefined) => data && <ChartPanel {...data} />

interface Card {
  readonly width: 'full' | 'two-thirds' | 'third'
  /** Returns its content; undefined if the figures have none. */
  readonly content: (overview: Overview) => ComponentChildren
}

const cards: readonly Card[] = [
  { width: 'full', content: (overview) => chart(recurringChart(overview)) },
  {
    width: 'full',
    content: (overview) =>
      overview.recurring === undefined && (
        <RankingBars
          overview={overview}
          title="Billed by plan"
          name="plans"
          rule={BILLED_RULE}
          explanation="The sum of amount − discount of all lines, without tax, by the product of a line’s price, in the months that are shown."
        />
      ),
  },
  { width: 'full', content: (overview) => chart(movementsChart(overview)) },
  {
    width: 'full',
    content: ({ by, segments, currency, range }) =>
      by &&
      segments && (
        <AmountsPanel
          title={`Movements by ${by}, net, ${monthsText(range)}`}
          rule="7-movements"
          explanation={`The movements of the months that are shown, added up for the customers with each value of “${by}”: start + new + reactivated + expansion + contraction + lost = now. A customer without a value is in “none”.`}
          currency={currency}
          rows={segments}
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
      ),
  },
  { width: 'third', content: (overview) => chart(renewalsChart(overview)) },
  { width: 'third', content: (overview) => chart(invoicedChart(overview)) },
  { width: 'third', content: (overview) => chart(customersChart(overview)) },
  {
    width: 'two-thirds',
    content: (overview) => (
      <RankingBars
        overview={overview}
        title="Largest customers"
        name="customers"
        linkOfRow={(customerId) => linkTo(['customers', customerId])}
        allLink={{ text: 'All customers by what was billed', href: customersByBilled(overview.currency) }}
        rule={BILLED_RULE}
        explanation="The sum of amount − discount of all lines of a customer’s invoices, without tax, in the months that are shown. Credits count with their sign."
      />
    ),
  },
  {
    width: 'third',
    content: (overview) => (
      <RankingBars
        overview={overview}
        title="What discounts cost"
        name="discounts"
        allLink={{ text: 'All discounts', href: linkTo(['discounts']) }}
        rule={BILLED_RULE}
        explanation="The sum of the discounts of all lines, by the discounts that their invoice names, in the months that are shown. If an invoice names several discounts, they count together, because its lines do not tell them apart."
      />
    ),
  },
]

export const OverviewView = ({ query }: { readonly query: Address['query'] }) => {
  const result = useAnswer('overview', figuresQuery(query))
  return (
    <FiguresView
      name="overview"
      query={query}
      result={result}
      placeholder={<TilesPlaceholder count={overviewTiles.length} />}
      segmentKeys={result.answer?.segmentKeys}
    >
      {(overview) => (
        <>
          <Tiles tiles={overviewTiles.flatMap((tile) => tile(overview) ?? [])} />
          <div class="boards">
            {cards.map(({ width, content }, index) => {
              const shown = content(overview)
              return (
                shown && (
                  <div key={index} class={width}>
                    {shown}
                  </div>
                )
              )
            })}
          </div>
        </>
      )}
    </FiguresView>
  )
}
