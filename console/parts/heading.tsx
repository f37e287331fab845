import { useContext, useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { positionOfView, scrollWhenLong } from '../frame/scroll-position.ts'
import { type Session, SessionContext, stageOf } from '../frame/session.ts'
import { useTimeZone } from '../frame/time-zone.ts'
import { day } from '../text/dates.ts'
import { titleWithTimeZone } from '../text/time-zone.ts'

const applicationText = ({ applicationName, baseUrl }: Session): string => {
  const stage = stageOf(baseUrl)
  return stage ? `${applicationName} (${stage})` : applicationName
}

const printedLine = (session: Session, timeZone: string): string =>
  titleWithTimeZone(`${applicationText(session)}, ${day(Date.now() / 1000, timeZone)}`, timeZone)

interface HeadingProps {
  /** The kind of record that has the name, such as "Customer". */
  readonly kind?: string
  readonly name: string
  /** Whether the printed page is for somebody else, and contains the name of the application itself. */
  readonly isDocument?: boolean
}

/**
 * The heading of a view, which the title of the tab repeats. When its view appears, it takes the focus, so that screen readers
 * read it, and restores the scroll position.
 */
export const Heading = ({ kind = '', name, isDocument = false }: HeadingProps) => {
  const session = useContext(SessionContext)
  const timeZone = useTimeZone()
  const heading = useRef<HTMLHeadingElement>(null)
  // A layout effect, since a later effect could run after the user has left the view, and restore the position of another one.
  useLayoutEffect(() => {
    heading.current!.focus({ preventScroll: true })
    const position = positionOfView()
    scrollTo(0, position)
    return position > 0 ? scrollWhenLong(position) : undefined
  }, [])
  useEffect(() => {
    const application = session ? `${applicationText(session)} – ` : ''
    document.title = `${kind} ${name} – ${application}Billing console`.trim()
  }, [kind, name, session])
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        <small>{kind}</small> <bdi>{name}</bdi>
      </h1>
      {session && !isDocument && <p class="printed">{printedLine(session, timeZone)}</p>}
    </>
  )
}
