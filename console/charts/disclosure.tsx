import type { ComponentChildren } from 'preact'

/** The disclosures that the user has toggled, so that they keep that state when the user returns to the page. */
const toggled = new Set<string>()

interface DisclosureProps {
  /** What it is about, such as the title of a plot. */
  readonly about: string
  readonly summary: string
  readonly isOpen?: boolean
  readonly children: ComponentChildren
}

/** A collapsible part of a page, which stays open or closed as the user left it. */
export const Disclosure = ({ about, summary, isOpen = false, children }: DisclosureProps) => {
  const key = `${about}, ${summary}`
  const remember = (details: HTMLDetailsElement) => {
    if (details.open === isOpen) toggled.delete(key)
    else toggled.add(key)
  }
  return (
    <details open={toggled.has(key) !== isOpen} onToggle={({ currentTarget }) => remember(currentTarget)}>
      <summary>{summary}</summary>
      {children}
    </details>
  )
}
