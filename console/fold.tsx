import type { ComponentChildren } from 'preact'

/** The folds that are open, so that they are open too when one comes back to their page. */
const open = new Set<string>()

interface FoldProps {
  /** What it is about, such as the title of a plot. */
  readonly about: string
  readonly summary: string
  readonly children: ComponentChildren
}

/** A part of a page that is folded until it is wanted, and stays as it was left. */
export const Fold = ({ about, summary, children }: FoldProps) => {
  const key = `${about}, ${summary}`
  return (
    <details
      open={open.has(key)}
      onToggle={({ currentTarget }) => open[currentTarget.open ? 'add' : 'delete'](key)}
    >
      <summary>{summary}</summary>
      {children}
    </details>
  )
}
