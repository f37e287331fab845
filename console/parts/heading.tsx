import { useContext, useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { positionOfView, scrollWhenLong } from '../frame/scroll-position.ts'
import { type Session, SessionContext, stageOf } from '../frame/session.ts'
import { day } from '../text/format.ts'

/** Returns whose data are shown: the application's name, and the stage if the address names one. */
const ownerOf = ({ applicationName, baseUrl }: Session): string => {
  const stage = stageOf(baseUrl)
  return stage ? `${applicationName} (${stage})` : applicationName
}

interface HeadingProps {
  /** What has the name, such as "Customer". */
  readonly kind?: string
  readonly name: string
  /** Whether the page is made to be sent to somebody, and says itself whose it is. */
  readonly isPaper?: boolean
}

/**
 * The heading of a view. It is in the tab's title too, with the application and its stage, which print shows with the day. It
 * takes the focus when its view appears, so that a screen reader says it, and scrolls a page to where it was left.
 */
export const Heading = ({ kind = '', name, isPaper = false }: HeadingProps) => {
  const session = useContext(SessionContext)
  const heading = useRef<HTMLHeadingElement>(null)
  // With its view, not after: somebody may have left it by then, and the position is that of another view.
  useLayoutEffect(() => {
    heading.current!.focus({ preventScroll: true })
    const position = positionOfView()
    scrollTo(0, position)
    return position > 0 ? scrollWhenLong(position) : undefined
  }, [])
  useEffect(() => {
    const owner = session ? `${ownerOf(session)} – ` : ''
    document.title = `${kind} ${name} – ${owner}Billing console`.trim()
  }, [kind, name, session])
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        <small>{kind}</small> <bdi>{name}</bdi>
      </h1>
      {session && !isPaper && <p class="printed">{`${ownerOf(session)}, ${day(Date.now() / 1000)}`}</p>}
    </>
  )
}
