import type { ComponentChildren } from 'preact'
import type { Coverage, Fact } from '../../../client/analytics/index.ts'
import type { FiguresQuery } from '../../figures/figures-query.ts'
import { type Address, linkTo } from '../../frame/address.ts'
import { type AnswerState, useCopy, useIsComplete } from '../../frame/copy-context.tsx'
import { useTimeZone } from '../../frame/time-zone.ts'
import { Chips, CurrencyChips, Select } from '../../parts/choices.tsx'
import { Heading } from '../../parts/heading.tsx'
import { Problem } from '../../parts/problem.tsx'
import type { SegmentKey } from '../../records/segments.ts'
import { day } from '../../text/dates.ts'
import { facts, factTexts } from '../../text/facts.ts'
import { counted, number, plainName, segmentName } from '../../text/format.ts'
import { CopyStatus } from './copy-status.tsx'
import { NoInvoices } from './no-invoices.tsx'

const DEFAULT_MONTHS = '12'
const monthChoices: Readonly<Record<string, string>> = { '12': '12 months', '24': '24 months', all: 'All' }

export const figuresQuery = ({ currency, months = DEFAULT_MONTHS, by }: Address['query']): FiguresQuery => ({
  currency,
  months: months === 'all' ? undefined : Number(months),
  // An empty key, as in an address that ends with `by=`, divides nothing.
  by: by || undefined,
})

interface Figures {
  readonly currency: string
  readonly currencies: readonly string[]
  /** The number of months that are shown; undefined for all. */
  readonly range?: number | undefined
  readonly coverage: Coverage
}

interface FigureChoicesProps {
  readonly figures: Figures
  /** The keys of the customers' metadata by which figures can be divided; without them, there is no such choice. */
  readonly segmentKeys: readonly SegmentKey[] | undefined
  readonly query: Address['query']
  readonly linkWith: (query: Address['query']) => string
}

const FigureChoices = ({ figures, segmentKeys = [], query, linkWith }: FigureChoicesProps) => {
  const { currencies, currency, range } = figures
  const keyChoices = Object.fromEntries(segmentKeys.map(({ key }) => [key, `By ${segmentName(key)}`]))
  return (
    <div class="chips">
      <CurrencyChips
        currencies={currencies}
        chosen={currency}
        hrefFor={(code) => linkWith({ ...query, currency: code })}
      />
      <Chips
        label="Months"
        choices={monthChoices}
        chosen={String(range ?? 'all')}
        hrefFor={(months) => linkWith({ ...query, months })}
      />
      {segmentKeys.length > 0 && (
        <Select
          label="Divided by"
          choices={{ '': 'By plan', ...keyChoices }}
          chosen={query.by ?? ''}
          hrefFor={(by) => linkWith({ ...query, by })}
        />
      )}
    </div>
  )
}

/** A link to the invoices that a fact concerns, with their number. */
const FactLink = ({ fact, coverage }: { readonly fact: Fact; readonly coverage: Coverage }) => (
  <a href={linkTo(['invoices'], { fact, currency: '' })}>
    {`${factTexts[fact]} (${number(coverage[fact])})`}
  </a>
)

/** A fact that is ordinary. The others may be mistakes. */
const ONE_OFF = 'invoicesWithoutRecurringLine'

/** What the figures are counted from and cannot take into account, with links to the invoices concerned. */
const CoverageNote = ({ coverage }: { readonly coverage: Coverage }) => {
  const timeZone = useTimeZone()
  const { invoices, recordedUntil, complete } = coverage
  const doubtfulFacts = facts.filter((fact) => fact !== ONE_OFF && coverage[fact] > 0)
  return (
    <div class="note stack">
      <p>
        {`Counted from ${counted(invoices, 'invoice')}, by months in ${timeZone}. `}
        {coverage[ONE_OFF] > 0 && (
          <>
            {'They include '}
            <FactLink fact={ONE_OFF} coverage={coverage} />
            {'. '}
          </>
        )}
        {!complete &&
          recordedUntil !== undefined &&
          `The newest invoice is from ${day(recordedUntil, timeZone)}, so the latest month is not complete. `}
        Amounts of different currencies are never added. A month is final from the fourth day after it, if
        changes are invoiced at once; if prorations come with the next invoice, as is usual in Stripe, it
        changes until then.
      </p>
      {doubtfulFacts.length > 0 && (
        <>
          <p>No rule can decide whether these records are meant as they are counted:</p>
          <ul>
            {doubtfulFacts.map((fact) => (
              <li key={fact}>
                <FactLink fact={fact} coverage={coverage} />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

interface FiguresViewProps<Shown extends Figures> {
  readonly name: 'overview' | 'finance'
  readonly query: Address['query']
  readonly result: AnswerState<Shown>
  readonly placeholder?: ComponentChildren
  readonly segmentKeys?: readonly SegmentKey[] | undefined
  readonly children: (figures: Shown) => ComponentChildren
}

/** Figures in one currency and of some months, which appear once the copy is complete. */
export const FiguresView = <Shown extends Figures>(props: FiguresViewProps<Shown>) => {
  const { name, query, result, placeholder, segmentKeys, children } = props
  const path = name === 'overview' ? [] : [name]
  const { extent, recordsRead } = useCopy()
  const isComplete = useIsComplete()
  const figures = isComplete ? result.answer : undefined
  const isEmpty = isComplete && extent!.invoices === 0
  const isReading = extent === undefined || recordsRead !== undefined
  const isExpected = !figures && !isEmpty && result.error === undefined && (isReading || isComplete)
  const hasOtherCurrency = figures && query.currency && query.currency !== figures.currency
  return (
    <main>
      <header class="title">
        <Heading name={plainName(name)} />
        {figures && (
          <FigureChoices
            figures={figures}
            segmentKeys={segmentKeys}
            query={query}
            linkWith={(chosen) => linkTo(path, chosen)}
          />
        )}
        <CopyStatus />
      </header>
      {result.error !== undefined && <Problem error={result.error} />}
      {isEmpty && <NoInvoices />}
      {isExpected && placeholder}
      {figures && (
        <div class="stack" aria-busy={result.pending}>
          {hasOtherCurrency && (
            <p role="alert">{`No invoice is in ${query.currency}. These figures are in ${figures.currency}.`}</p>
          )}
          {children(figures)}
          <CoverageNote coverage={figures.coverage} />
        </div>
      )}
    </main>
  )
}
