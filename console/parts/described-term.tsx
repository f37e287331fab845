import type { ComponentChildren } from 'preact'

interface DescribedTermProps {
  readonly term: string
  readonly class?: string
  readonly children: ComponentChildren
}

/** A term of a description list (`dl`) with its description. */
export const DescribedTerm = ({ term, class: className, children }: DescribedTermProps) => (
  <div class={className}>
    <dt>{term}</dt>
    <dd>{children}</dd>
  </div>
)
