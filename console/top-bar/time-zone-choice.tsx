import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { currentAddress, linkTo } from '../frame/address.ts'
import { hasChosenTimeZone, rememberTimeZone, useTimeZone, zoneParameter } from '../frame/time-zone.ts'
import { UTC } from '../text/time-zone.ts'

const linkInTimeZone = (timeZone: string): string => {
  const { path, query } = currentAddress()
  return linkTo(path, { ...query, zone: zoneParameter(timeZone) })
}

/** By area: "Europe/Berlin" is in "Europe". The browser's list can lack UTC and other names of a time zone. */
const zonesByArea = (chosen: string): ReadonlyMap<string, readonly string[]> => {
  const names = [...new Set([UTC, chosen, ...Intl.supportedValuesOf('timeZone')])]
  return Map.groupBy(names, (name) => name.split('/')[0]!)
}

interface ZoneLinkProps {
  readonly timeZone: string
  readonly children: ComponentChildren
  readonly onChosen?: () => void
}

const ZoneLink = ({ timeZone, children, onChosen }: ZoneLinkProps) => (
  <a
    href={linkInTimeZone(timeZone)}
    aria-current={timeZone === useTimeZone() ? 'true' : undefined}
    onClick={() => {
      rememberTimeZone(timeZone)
      onChosen?.()
    }}
  >
    {children}
  </a>
)

/**
 * The drop-down list of all time zones, grouped by area. It is rendered again only if the time zone changes, since it is long.
 */
const ZoneSelect = () => {
  const timeZone = useTimeZone()
  return useMemo(
    () => (
      <label>
        Another time zone
        <select name="zone">
          {[...zonesByArea(timeZone)].map(([area, names]) => (
            <optgroup key={area} label={area}>
              {names.map((name) => (
                <option key={name} value={name} selected={name === timeZone}>
                  {name.replace(`${area}/`, '').replaceAll('_', ' ')}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </label>
    ),
    [timeZone],
  )
}

/** A button applies the choice, because the arrow keys select one option after another. */
const ZoneForm = () => {
  const apply = (event: SubmitEvent) => {
    event.preventDefault()
    const chosen = String(new FormData(event.currentTarget as HTMLFormElement).get('zone'))
    rememberTimeZone(chosen)
    location.hash = linkInTimeZone(chosen)
  }
  return (
    <form aria-label="Another time zone" onSubmit={apply}>
      <ZoneSelect />
      <button type="submit">Apply</button>
    </form>
  )
}

const browserTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** The choice of the time zone of all months and dates: that of the browser, UTC, or any other that the browser lists. */
export const TimeZoneChoice = () => (
  <>
    <p>{`Months and dates are in ${useTimeZone()}`}</p>
    {browserTimeZone() !== UTC && (
      <ZoneLink timeZone={browserTimeZone()}>
        {browserTimeZone()} <span class="quiet">of this browser</span>
      </ZoneLink>
    )}
    <ZoneLink timeZone={UTC}>{UTC}</ZoneLink>
    <ZoneForm />
  </>
)

/** The offer of the time zone of the browser, as long as nobody has chosen one. */
export const TimeZoneOffer = () => {
  const timeZone = useTimeZone()
  const [isChosen, setIsChosen] = useState(hasChosenTimeZone)
  const offered = browserTimeZone()
  if (isChosen || timeZone !== UTC || offered === UTC) return null
  return (
    <aside class="offer" aria-label="Time zone">
      Months and dates are in UTC, not in the time zone of this browser.
      <ZoneLink timeZone={offered}>{`Use ${offered}`}</ZoneLink>
      <ZoneLink timeZone={UTC} onChosen={() => setIsChosen(true)}>
        Keep UTC
      </ZoneLink>
    </aside>
  )
}
