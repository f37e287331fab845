import type { ComponentChildren } from 'preact'
import type { Answer } from '../copy/local-copy.ts'
import { type Address, linkTo } from '../frame/address.ts'
import { useAnswer, useCopy, useIsComplete } from '../frame/copied.tsx'
import { useSession } from '../frame/session.ts'
import { Chips, Select } from '../parts/chips.tsx'
import { Heading } from '../parts/heading.tsx'
import { Problem } from '../parts/requests.tsx'
import { clock, counted, day, number, words } from '../text/format.ts'
import { FirstDay } from './first-day.tsx'
import './figures-view.css'

const ranges: Readonly<Record<string, string>> = { '12': '12 months', '24': '24 months', all: 'All' }

type Question = 'overview' | 'finance'
type Figures = NonNullable<Answer<Question>>

interface ChoicesProps {
  readonly answer: Figures
  readonly to: (chosen: Address['query']) => string
}

/** The key of the customers' metadata by whose values the overview is divided. */
const SegmentChoice = ({ answer, to }: ChoicesProps) => {
  if (!('segmentKeys' in answer) || answer.segmentKeys.length === 0) return null
  const keys = Object.fromEntries(answer.segmentKeys.map(({ key }) => [key, `By ${key}`]))
  return (
    <Select
      label="Divided by"
      choices={{ '': 'By plan', ...keys }}
      chosen={answer.by ?? ''}
      hrefFor={(by) => to({ by })}
    />
  )
}

const Choices = ({ answer, to }: ChoicesProps) => {
  const { currencies, currency, range } = answer
  return (
    <div class="chips">
      {currencies.length > 1 && (
        <Chips
          label="Currency"
          choices={Object.fromEntries(currencies.map((each) => [each, each]))}
          chosen={currency}
          hrefFor={(each) => to({ currency: each })}
        />
      )}
      <Chips
        label="Months"
        choices={ranges}
        chosen={String(range ?? 'all')}
        hrefFor={(months) => to({ months })}
      />
      <SegmentChoice answer={answer} to={to} />
    </div>
  )
}

const isToday = (seconds: number): boolean => day(seconds) === day(Date.now() / 1000)

/** The size and age of the copy, the progress of reading, and the button that stops or starts it. */
const CopyStatus = () => {
  const { heldBack } = useSession()
  const { extent, read, waits, error, start, stop } = useCopy()
  const { invoices = 0, customers = 0, asOf = 0 } = extent ?? {}
  const has = `${counted(invoices, 'invoice')} and ${counted(customers, 'customer')}`
  const at = `${clock(asOf)} UTC${isToday(asOf) ? '' : `, ${day(asOf)}`}`
  const time = counted(Math.ceil(heldBack / 60), 'minute')
  const isReading = read !== undefined
  const upToDate = `${has}, up to date at ${at}.`
  const inPart = `${has} are in this browser so far. Figures appear once all records have been read.`
  return (
    <div class="status">
      <p role="status">
        {isReading && `Reading … ${counted(read, 'record')}`}
        {extent && !isReading && (asOf > 0 ? upToDate : inPart)}{' '}
        {waits && 'That is a lot for a browser: continuing takes memory and time.'}
        {asOf > 0 && !isReading && heldBack > 0 && (
          <span class="quiet">{` Changes made elsewhere in the last ${time} may be missing.`}</span>
        )}
      </p>
      {extent && (
        <button type="button" onClick={isReading ? stop : start}>
          {isReading ? 'Stop' : asOf > 0 ? 'Bring up to date' : 'Continue reading'}
        </button>
      )}
      {error !== undefined && <Problem error={error} />}
    </div>
  )
}

/** What the figures are counted from and what they cannot see. */
const CoverageNote = ({ coverage }: Figures) => {
  const notes: readonly (readonly [number, string])[] = [
    [
      coverage.invoicesWithoutRecurringLine,
      'invoices without a recurring line, which do not count as recurring revenue',
    ],
    [coverage.invoicesWithoutLines, 'invoices without lines, whose totals are recognised, with tax'],
    [coverage.unequalTotals, 'invoices whose lines do not add up to the total'],
    [
      coverage.unassignedLines,
      'one-time lines that may be the unused part of a plan, but do not name a plan',
    ],
    [
      coverage.inclusiveEnds,
      'periods that end just before the next one begins, perhaps because their end is inclusive',
    ],
    [coverage.emptyPeriods, 'recurring lines whose period has no length, counted nowhere'],
  ]
  const present = notes.filter(([count]) => count > 0)
  return (
    <p class="formula">
      {`Counted from ${counted(coverage.invoices, 'invoice')}. `}
      {present.length > 0 &&
        `What cannot be seen: ${present.map(([count, text]) => `${text} (${number(count)})`).join('; ')}. `}
      {!coverage.complete && 'No invoice is newer than three days, so the latest month is not complete. '}
      Dates are in UTC. Amounts of different currencies are never added.
    </p>
  )
}

interface FiguresViewProps<Name extends Question> {
  readonly question: Name
  readonly query: Address['query']
  readonly children: (answer: NonNullable<Answer<Name>>) => ComponentChildren
}

/** Says so if the address asks for a currency that no invoice has. */
const OtherCurrency = ({
  asked,
  answer,
}: {
  readonly asked: string | undefined
  readonly answer: Figures
}) =>
  asked && asked !== answer.currency ? (
    <p role="alert">{`No invoice is in ${asked}. These figures are in ${answer.currency}.`}</p>
  ) : null

/** A view of figures in a currency and of some months, which the address chooses, once the copy is complete. */
export const FiguresView = <Name extends Question>(props: FiguresViewProps<Name>) => {
  const { question, query, children } = props
  const path = question === 'overview' ? [] : [question]
  const { extent } = useCopy()
  const isComplete = useIsComplete()
  const months = query.months === 'all' ? undefined : Number(query.months ?? '12')
  const asked = useAnswer(question, { currency: query.currency, months, by: query.by } as never)
  const answer = isComplete ? asked.answer : undefined
  return (
    <main>
      <header class="title">
        <Heading name={words(question)} />
        {answer && <Choices answer={answer} to={(chosen) => linkTo(path, { ...query, ...chosen })} />}
      </header>
      <CopyStatus />
      {asked.error !== undefined && <Problem error={asked.error} />}
      {isComplete && extent!.invoices === 0 && <FirstDay />}
      {answer && (
        <div aria-busy={asked.pending}>
          <OtherCurrency asked={query.currency} answer={answer} />
          {children(answer)}
          <CoverageNote {...answer} />
        </div>
      )}
    </main>
  )
}
