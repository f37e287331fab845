import type { ComponentChildren } from 'preact'

/** Those that were opened or closed, so that they are so too when one comes back to their page. */
const toggled = new Set<string>()

interface DisclosureProps {
  /** What it is about, such as the title of a plot. */
  readonly about: string
  readonly summary: string
  readonly isOpen?: boolean
  readonly children: ComponentChildren
}

/** A part of a page that is folded until it is wanted, and stays as it was left. */
export const Disclosure = ({ about, summary, isOpen = false, children }: DisclosureProps) => {
  const key = `${about}, ${summary}`
  return (
    <details
      open={toggled.has(key) !== isOpen}
      onToggle={({ currentTarget }) => toggled[currentTarget.open === isOpen ? 'delete' : 'add'](key)}
    >
      <summary>{summary}</summary>
      {children}
    </details>
  )
}
