import type { ComponentChildren } from 'preact'

interface PageLinksProps {
  /** The link to the previous page; undefined on the first page. */
  readonly previous: string | undefined
  /** The link to the next page; undefined on the last page. */
  readonly next: string | undefined
  /** The content between the links, such as the number of the page. */
  readonly children?: ComponentChildren
}

/** The links to the previous and the next page of a list. */
export const PageLinks = ({ previous, next, children }: PageLinksProps) => (
  <nav class="pages" aria-label="Pages">
    {previous && <a href={previous}>← Previous</a>}
    {children}
    {next && <a href={next}>Next →</a>}
  </nav>
)
