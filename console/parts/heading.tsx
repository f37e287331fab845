import { useContext, useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { positionOfView, scrollWhenLong } from '../frame/scroll-position.ts'
import { type Session, SessionContext, stageOf } from '../frame/session.ts'
import { day } from '../text/format.ts'

/** Returns whose data are shown: the application, and the stage if the address names one. */
const ownerOf = ({ appId, baseUrl }: Session): string => {
  const stage = stageOf(baseUrl)
  return stage ? `${appId} (${stage})` : appId
}

/**
 * The heading of a view; `kind` says what has the name. It is in the tab's title too, with the application and its stage, which
 * paper shows with the day. It takes the focus when its view appears, so that a screen reader says it, and scrolls a page to
 * where it was left.
 */
export const Heading = ({ kind = '', name }: { readonly kind?: string; readonly name: string }) => {
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
      {session && <p class="printed">{`${ownerOf(session)}, ${day(Date.now() / 1000)}`}</p>}
    </>
  )
}
