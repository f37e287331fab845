import type { ComponentChildren } from 'preact'

interface DescribedTermProps {
  readonly term: string
  /** The class of the element around the term and its description. */
  readonly class?: string
  /** The description of the term. */
  readonly children: ComponentChildren
}

/** A term of a description list (`dl`) with its description. */
export const DescribedTerm = ({ term, class: className, children }: DescribedTermProps) => (
  <div class={className}>
    <dt>{term}</dt>
    <dd>{children}</dd>
  </div>
)
