import type { ComponentChildren } from 'preact'

/** The keys of the disclosures that the user has toggled, so that they keep their state when the user returns to the page. */
const toggled = new Set<string>()

interface DisclosureProps {
  /** The title of the chart or table that it belongs to. */
  readonly about: string
  readonly summary: string
  /** Whether it is open at first. */
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
    <details
      open={toggled.has(key) ? !isOpen : isOpen}
      onToggle={({ currentTarget }) => remember(currentTarget)}
    >
      <summary>{summary}</summary>
      {children}
    </details>
  )
}
