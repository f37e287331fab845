import type { ComponentChildren } from 'preact'
import { TilePlaces } from '../charts/tiles.tsx'
import type { Answer } from '../copy/local-copy.ts'
import { type Address, linkTo } from '../frame/address.ts'
import { useAnswer, useCopy, useIsComplete } from '../frame/copied.tsx'
import { useSession } from '../frame/session.ts'
import { Chips, Select } from '../parts/chips.tsx'
import { Heading } from '../parts/heading.tsx'
import { Problem } from '../parts/requests.tsx'
import { facts, factWords } from '../text/facts.ts'
import { clock, counted, day, number, plainName } from '../text/format.ts'
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
        {/* How many there are in all, the service does not say. */}
        {isReading && asOf === 0 && <progress aria-label="Reading all records" />}
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

/** What the figures are counted from, and what they cannot take into account, each with a link to the invoices that are meant. */
const CoverageNote = ({ coverage }: Figures) => {
  const { invoices, recordedUntil, complete } = coverage
  const told = facts.filter((fact) => coverage[fact] > 0)
  return (
    <div class="formula">
      <p>
        {`Counted from ${counted(invoices, 'invoice')}. `}
        {!complete &&
          recordedUntil !== undefined &&
          `The newest is of ${day(recordedUntil)}, so the latest month is not complete. `}
        Amounts of different currencies are never added. A month is final from the fourth day after it, if
        changes are invoiced at once; if prorations come with the next invoice, as is usual in Stripe, it
        changes until then.
      </p>
      {told.length > 0 && (
        <>
          <p>What no rule can decide:</p>
          <ul>
            {told.map((fact) => (
              <li key={fact}>
                <a href={linkTo(['invoices'], { told: fact, currency: '' })}>
                  {`${factWords[fact]} (${number(coverage[fact])})`}
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
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
  const { extent, read } = useCopy()
  const isComplete = useIsComplete()
  const months = query.months === 'all' ? undefined : Number(query.months ?? '12')
  const asked = useAnswer(question, { currency: query.currency, months, by: query.by } as never)
  const answer = isComplete ? asked.answer : undefined
  const isEmpty = isComplete && extent!.invoices === 0
  const isReading = extent === undefined || read !== undefined
  const isAwaited = !answer && !isEmpty && asked.error === undefined && (isReading || isComplete)
  return (
    <main>
      <header class="title">
        <Heading name={plainName(question)} />
        {answer && <Choices answer={answer} to={(chosen) => linkTo(path, { ...query, ...chosen })} />}
      </header>
      <CopyStatus />
      {asked.error !== undefined && <Problem error={asked.error} />}
      {isEmpty && <FirstDay />}
      {question === 'overview' && isAwaited && <TilePlaces />}
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
