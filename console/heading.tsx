import { useEffect, useRef } from 'preact/hooks'
import { placeOfPage } from './place.ts'

/**
 * The heading of a view, which names the tab too; `kind` says what has the name. It takes the focus when its view appears, so
 * that a screen reader says it. A page that one comes back to is where it was left.
 */
export const Heading = ({ kind = '', name }: { readonly kind?: string; readonly name: string }) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current!.focus({ preventScroll: true })
    scrollTo(0, placeOfPage() ?? 0)
  }, [])
  useEffect(() => {
    document.title = `${kind} ${name} – Billing console`.trim()
  }, [kind, name])
  return (
    <h1 ref={heading} tabIndex={-1}>
      <small>{kind}</small> <bdi>{name}</bdi>
    </h1>
  )
}
