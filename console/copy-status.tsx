import { useCopy } from './copied.tsx'
import { Problem } from './requests.tsx'
import { useSession } from './session.ts'
import { clock, counted, day } from './text/format.ts'

const isToday = (seconds: number): boolean => day(seconds) === day(Date.now() / 1000)

/** The size and age of the copy, the progress of reading, and the button that stops or starts it. */
export const CopyStatus = () => {
  const { heldBack } = useSession()
  const { extent, read, waits, error, start, stop } = useCopy()
  const { invoices = 0, customers = 0, asOf = 0 } = extent ?? {}
  const has = `${counted(invoices, 'invoice')} and ${counted(customers, 'customer')}`
  const at = `${clock(asOf)} UTC${isToday(asOf) ? '' : `, ${day(asOf)}`}`
  const time = counted(Math.ceil(heldBack / 60), 'minute')
  const isReading = read !== undefined
  const upToDate = `${has}, up to date at ${at}.`
  const inPart = `${has} are in this browser, but not all. There are no figures until all are.`
  return (
    <div class="status">
      <p role="status">
        {isReading && `Reading … ${counted(read, 'record')}`}
        {extent && !isReading && (asOf > 0 ? upToDate : inPart)}{' '}
        {waits && 'That is a lot for a browser: reading on takes memory and time.'}
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
