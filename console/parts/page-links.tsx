import type { ComponentChildren } from 'preact'

interface PageLinksProps {
  readonly previous: string | undefined
  readonly next: string | undefined
  readonly children?: ComponentChildren
}

export const PageLinks = ({ previous, next, children }: PageLinksProps) => (
  <nav class="pages" aria-label="Pages">
    {previous && <a href={previous}>← Previous</a>}
    {children}
    {next && <a href={next}>Next →</a>}
  </nav>
)
