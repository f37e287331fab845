import { useContext, useEffect, useRef } from 'preact/hooks'
import { positionOfView, scrollWhenLong } from './scroll-position.ts'
import { SessionContext, stageOf } from './session.ts'

/**
 * The heading of a view; `kind` says what has the name. It is in the tab's title too, with the application and its stage. It
 * takes the focus when its view appears, so that a screen reader says it, and scrolls a page to where it was left.
 */
export const Heading = ({ kind = '', name }: { readonly kind?: string; readonly name: string }) => {
  const session = useContext(SessionContext)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current!.focus({ preventScroll: true })
    const position = positionOfView()
    scrollTo(0, position)
    return position > 0 ? scrollWhenLong(position) : undefined
  }, [])
  useEffect(() => {
    const stage = session && stageOf(session.baseUrl)
    const application = session ? `${session.appId}${stage ? ` (${stage})` : ''} – ` : ''
    document.title = `${kind} ${name} – ${application}Billing console`.trim()
  }, [kind, name, session])
  return (
    <h1 ref={heading} tabIndex={-1}>
      <small>{kind}</small> <bdi>{name}</bdi>
    </h1>
  )
}
