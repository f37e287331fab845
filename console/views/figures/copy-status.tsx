import { useCopy } from '../../frame/copy-context.tsx'
import { useSession } from '../../frame/session.ts'
import { useTimeZone } from '../../frame/time-zone.ts'
import { Problem } from '../../parts/problem.tsx'
import { clock, day } from '../../text/dates.ts'
import { counted } from '../../text/format.ts'

/** A time, given in seconds, with its time zone, such as `9:30 AM (UTC)`; with the day too if that is not today. */
const timeWithZone = (seconds: number, timeZone: string): string => {
  const date = day(seconds, timeZone)
  const isToday = date === day(Date.now() / 1000, timeZone)
  return `${clock(seconds, timeZone)}${isToday ? '' : `, ${date}`} (${timeZone})`
}

/** The size and age of the copy, the progress of reading, and the button that stops or starts it. */
export const CopyStatus = () => {
  const { heldBack } = useSession()
  const timeZone = useTimeZone()
  const { extent, recordsRead, awaitsConfirmation, error, start, stop } = useCopy()
  const { invoices = 0, customers = 0, asOf = 0 } = extent ?? {}
  const isReading = recordsRead !== undefined
  const isComplete = asOf > 0
  const size = `${counted(invoices, 'invoice')} and ${counted(customers, 'customer')}`
  const state = isComplete
    ? `${size}, up to date at ${timeWithZone(asOf, timeZone)}.`
    : `${size} are in this browser so far. Figures appear once all records have been read.`
  const heldBackMinutes = counted(Math.ceil(heldBack / 60), 'minute')
  const idleAction = isComplete ? 'Bring up to date' : 'Continue reading'
  const action = isReading ? 'Stop' : idleAction
  return (
    <div class="status push">
      <p role="status">
        {isReading && `Reading … ${counted(recordsRead, 'record')}`}
        {/* Without a value, since the service does not return the total number of records. */}
        {isReading && !isComplete && <progress aria-label="Reading all records" />}
        {extent && !isReading && state}{' '}
        {awaitsConfirmation && 'That is a lot for a browser: continuing takes memory and time.'}
        {isComplete && !isReading && heldBack > 0 && (
          <span class="quiet">{` Changes made elsewhere in the last ${heldBackMinutes} may be missing.`}</span>
        )}
      </p>
      {extent && (
        <button type="button" onClick={isReading ? stop : start} aria-label={isComplete ? action : undefined}>
          {isComplete && !isReading ? '⟳' : action}
        </button>
      )}
      {error !== undefined && <Problem error={error} />}
    </div>
  )
}
