import { useEffect, useRef } from 'preact/hooks'

/**
 * The heading of a view, which names the tab too; `kind` says what has the name. It takes the focus when its view appears, so
 * that a screen reader says it.
 */
export const Heading = ({ kind = '', name }: { readonly kind?: string; readonly name: string }) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current!.focus()
    scrollTo(0, 0)
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
