import type { Month } from '../../client/analytics/index.ts'
import { monthsAround, monthsText, type TimeSpan, timeSpanFrom, timeSpanWords } from '../text/time-span.ts'
import { Menu } from './menu.tsx'
import './when.css'

interface WhenProps {
  /** What the span of time limits, such as "Created". */
  readonly label: string
  /** The span of time in the address; empty for any. */
  readonly within: string
  readonly running: Month
  /** Returns the link that chooses a span of time. */
  readonly hrefFor: (within: string) => string
}

/** Returns the texts of the spans of the same length before and after one; undefined if it is not one of whole months. */
const neighbours = (span: TimeSpan | undefined) => {
  if (span === undefined || span === 'week' || 'from' in span) return undefined
  const { first, count } = span
  return {
    before: monthsText({ first: first - count, count }),
    after: monthsText({ first: first + count, count }),
  }
}

const Step = ({
  to,
  name,
  children,
}: {
  readonly to: string
  readonly name: string
  readonly children: string
}) => (
  <a href={to} aria-label={name}>
    {children}
  </a>
)

/** Days from one date to another, both included. */
const Days = ({ span, hrefFor }: { readonly span: TimeSpan | undefined } & Pick<WhenProps, 'hrefFor'>) => {
  const days = span !== undefined && span !== 'week' && 'from' in span ? span : { from: '', to: '' }
  const apply = (event: SubmitEvent) => {
    event.preventDefault()
    const typed = new FormData(event.currentTarget as HTMLFormElement)
    location.hash = hrefFor(`${typed.get('from')}..${typed.get('to')}`)
  }
  return (
    <form class="days" aria-label="From one day to another" onSubmit={apply}>
      <label>
        From
        <input type="date" name="from" required value={days.from} />
      </label>
      <label>
        To
        <input type="date" name="to" required value={days.to} />
      </label>
      <button type="submit">Apply</button>
    </form>
  )
}

/** The span of time that a list is limited to: a month with the ways to the next and the previous one, or another span. */
export const When = ({ label, within, running, hrefFor }: WhenProps) => {
  const span = timeSpanFrom(within)
  const steps = neighbours(span)
  const around = span !== undefined && span !== 'week' && 'first' in span ? span.first : running
  const choices: Readonly<Record<string, string>> = {
    '': 'Any time',
    week: 'This week',
    [monthsText({ first: running, count: 1 })]: 'This month',
    [monthsText({ first: running - 1, count: 1 })]: 'Last month',
    [monthsText(monthsAround(around, 3))]: timeSpanWords(monthsAround(around, 3)),
    [monthsText(monthsAround(around, 12))]: timeSpanWords(monthsAround(around, 12)),
  }
  return (
    <nav aria-label={label} class="when">
      {steps && (
        <Step to={hrefFor(steps.before)} name={`Before: ${steps.before}`}>
          ‹
        </Step>
      )}
      <Menu title={span ? timeSpanWords(span) : 'Any time'}>
        {Object.entries(choices).map(([value, text]) => (
          <a key={value} href={hrefFor(value)} aria-current={value === within ? 'true' : undefined}>
            {text}
          </a>
        ))}
        <Days span={span} hrefFor={hrefFor} />
      </Menu>
      {steps && (
        <Step to={hrefFor(steps.after)} name={`After: ${steps.after}`}>
          ›
        </Step>
      )}
    </nav>
  )
}
