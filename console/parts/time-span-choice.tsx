import type { Month } from '../../client/analytics/index.ts'
import {
  dateInSpan,
  type Months,
  monthsAround,
  monthsFrom,
  monthsParameter,
  type TimeSpan,
  timeSpanFrom,
  timeSpanLabel,
} from '../text/time-span.ts'
import { Popover } from './popover.tsx'

interface TimeSpanChoiceProps {
  /** The date that the time span limits, such as "Created". */
  readonly label: string
  /** The time span in the address; empty for any time. */
  readonly within: string
  readonly currentMonth: Month
  /** Whether no days and weeks can be chosen. */
  readonly isOfMonths?: boolean
  readonly isRequired?: boolean
  readonly hrefFor: (within: string) => string
}

interface StepProps {
  readonly months: Months
  readonly direction: string
  readonly hrefFor: TimeSpanChoiceProps['hrefFor']
  readonly children: string
}

const Step = ({ months, direction, hrefFor, children }: StepProps) => {
  const text = monthsParameter(months)
  return (
    <a href={hrefFor(text)} aria-label={`${direction}: ${text}`}>
      {children}
    </a>
  )
}

interface DaysFormProps {
  readonly label: string
  /** The chosen days by their labels; empty texts if none is chosen. */
  readonly days: Readonly<Record<string, string>>
  /** Returns the link that chooses days, in the order of `days`. */
  readonly hrefFor: (days: readonly string[]) => string
}

export const DaysForm = ({ label, days, hrefFor }: DaysFormProps) => {
  const apply = (event: SubmitEvent) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget as HTMLFormElement)
    location.hash = hrefFor(Object.keys(days).map((name) => `${data.get(name)}`))
  }
  return (
    <form aria-label={label} onSubmit={apply}>
      {Object.entries(days).map(([name, value]) => (
        <label key={name}>
          {name}
          <input type="date" name={name} required value={value} />
        </label>
      ))}
      <button type="submit">Apply</button>
    </form>
  )
}

/** A time span that the menu offers: the text by which an address names it, and its label. */
type Choice = readonly [within: string, label: string]

const choicesAround = (month: Month, currentMonth: Month): readonly Choice[] => {
  const quarter = monthsAround(month, 3)
  const year = monthsAround(month, 12)
  return [
    ['', 'Any time'],
    ['week', 'This week'],
    [monthsParameter({ first: currentMonth, count: 1 }), 'This month'],
    [monthsParameter({ first: currentMonth - 1, count: 1 }), 'Last month'],
    [monthsParameter(quarter), timeSpanLabel(quarter)],
    [monthsParameter(year), timeSpanLabel(year)],
  ]
}

/** Returns the chosen months; undefined if the chosen time span does not consist of whole months. */
const monthsOf = (span: TimeSpan | undefined): Months | undefined =>
  span !== undefined && span !== 'week' && 'first' in span ? span : undefined

/** Returns the chosen days; empty texts if the chosen time span does not consist of days. */
const daysOf = (span: TimeSpan | undefined) =>
  span !== undefined && span !== 'week' && 'from' in span ? span : { from: '', to: '' }

export const TimeSpanChoice = (props: TimeSpanChoiceProps) => {
  const { label, within, currentMonth, isOfMonths = false, isRequired = false, hrefFor } = props
  const span = timeSpanFrom(within)
  const months = monthsOf(span)
  const { from, to } = daysOf(span)
  const choices = choicesAround(months?.first ?? currentMonth, currentMonth).filter(([value]) =>
    value === '' ? !isRequired : !isOfMonths || monthsFrom(value) !== undefined,
  )
  return (
    <nav aria-label={label}>
      {months && (
        <Step months={{ ...months, first: months.first - months.count }} direction="Before" hrefFor={hrefFor}>
          ‹
        </Step>
      )}
      <Popover title={dateInSpan(label, span)} kind="menu" buttonClass="drop">
        {choices.map(([value, text]) => (
          <a key={value} href={hrefFor(value)} aria-current={value === within ? 'true' : undefined}>
            {text}
          </a>
        ))}
        {!isOfMonths && (
          <DaysForm
            label="From one day to another"
            days={{ From: from, To: to }}
            hrefFor={([first, last]) => hrefFor(`${first}..${last}`)}
          />
        )}
      </Popover>
      {months && (
        <Step months={{ ...months, first: months.first + months.count }} direction="After" hrefFor={hrefFor}>
          ›
        </Step>
      )}
    </nav>
  )
}
