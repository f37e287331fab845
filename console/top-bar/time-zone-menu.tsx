import { useMemo } from 'preact/hooks'
import { currentAddress, linkTo } from '../frame/address.ts'
import { rememberTimeZone, useTimeZone, zoneParameter } from '../frame/time-zone.ts'
import { Menu } from '../parts/menu.tsx'
import { placeOfTimeZone, UTC } from '../text/time-zone.ts'
import './time-zone-menu.css'

/** Returns the link to the page that is shown, in a time zone. */
const linkIn = (timeZone: string): string => {
  const { path, query } = currentAddress()
  return linkTo(path, { ...query, zone: zoneParameter(timeZone) })
}

/** Returns the time zones that this browser knows, and another one, by the part of the world that they begin with. */
const zonesByArea = (other: string): ReadonlyMap<string, readonly string[]> => {
  const names = [...new Set([UTC, other, ...Intl.supportedValuesOf('timeZone')])]
  return Map.groupBy(names, (name) => name.split('/')[0]!)
}

/** A time zone that is one link away. */
const ZoneLink = ({ timeZone, about }: { readonly timeZone: string; readonly about: string }) => (
  <a
    href={linkIn(timeZone)}
    aria-current={timeZone === useTimeZone() ? 'true' : undefined}
    onClick={() => rememberTimeZone(timeZone)}
  >
    {timeZone} <span class="quiet">{about}</span>
  </a>
)

/** All time zones by their areas, rendered once for each that is chosen, since the bar is rendered with each page. */
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

/** Any time zone that the browser knows. A form, since the arrow keys go through its options one by one. */
const AnyZone = () => {
  const apply = (event: SubmitEvent) => {
    event.preventDefault()
    const chosen = String(new FormData(event.currentTarget as HTMLFormElement).get('zone'))
    rememberTimeZone(chosen)
    location.hash = linkIn(chosen)
  }
  return (
    <form aria-label="Another time zone" onSubmit={apply}>
      <ZoneSelect />
      <button type="submit">Apply</button>
    </form>
  )
}

/** The choice of the time zone of all months and dates: this browser's, UTC, or any that it knows. */
export const TimeZoneChoice = () => {
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <div class="time-zone">
      <span class="quiet">{`Months and dates are in ${useTimeZone()}`}</span>
      {own !== UTC && <ZoneLink timeZone={own} about="of this browser" />}
      <ZoneLink timeZone={UTC} about="" />
      <AnyZone />
    </div>
  )
}

/** The menu of the time zone, which is named after the one that is chosen. */
export const TimeZoneMenu = () => {
  const timeZone = useTimeZone()
  return (
    <Menu title={placeOfTimeZone(timeZone)} label={`Time zone: ${timeZone}`}>
      <TimeZoneChoice />
    </Menu>
  )
}
