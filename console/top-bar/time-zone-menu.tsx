import { useMemo } from 'preact/hooks'
import { currentAddress, linkTo } from '../frame/address.ts'
import { rememberTimeZone, useTimeZone, zoneParameter } from '../frame/time-zone.ts'
import { Menu } from '../parts/menu.tsx'
import { placeOfTimeZone, UTC } from '../text/time-zone.ts'
import './time-zone-menu.css'

/** Returns the link that shows the current page in a time zone. */
const linkInTimeZone = (timeZone: string): string => {
  const { path, query } = currentAddress()
  return linkTo(path, { ...query, zone: zoneParameter(timeZone) })
}

/**
 * Returns the names of UTC, the chosen time zone and all time zones that the browser lists, grouped by the part before the first
 * slash: "Europe/Berlin" is in the area "Europe". The browser's list can lack UTC and other names of a time zone.
 */
const zonesByArea = (chosen: string): ReadonlyMap<string, readonly string[]> => {
  const names = [...new Set([UTC, chosen, ...Intl.supportedValuesOf('timeZone')])]
  return Map.groupBy(names, (name) => name.split('/')[0]!)
}

interface ZoneLinkProps {
  readonly timeZone: string
  /** The reason why the time zone has a link, shown after its name. */
  readonly note?: string
}

/** The link that chooses a time zone. */
const ZoneLink = ({ timeZone, note }: ZoneLinkProps) => (
  <a
    href={linkInTimeZone(timeZone)}
    aria-current={timeZone === useTimeZone() ? 'true' : undefined}
    onClick={() => rememberTimeZone(timeZone)}
  >
    {timeZone} {note && <span class="quiet">{note}</span>}
  </a>
)

/** The drop-down list of all time zones, grouped by area. It is rendered again only if the time zone changes, since it is long. */
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

/**
 * The form that chooses any time zone that the browser lists. A button applies the choice, because the arrow keys select one option
 * after another.
 */
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

/** The choice of the time zone of all months and dates: that of the browser, UTC, or any other that the browser lists. */
export const TimeZoneChoice = () => {
  const browserTimeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <div class="time-zone">
      <span class="quiet">{`Months and dates are in ${useTimeZone()}`}</span>
      {browserTimeZone !== UTC && <ZoneLink timeZone={browserTimeZone} note="of this browser" />}
      <ZoneLink timeZone={UTC} />
      <ZoneForm />
    </div>
  )
}

/** The menu that chooses the time zone. Its title is the place after which the chosen time zone is named. */
export const TimeZoneMenu = () => {
  const timeZone = useTimeZone()
  return (
    <Menu title={placeOfTimeZone(timeZone)} label={`Time zone: ${timeZone}`}>
      <TimeZoneChoice />
    </Menu>
  )
}
