import type { ComponentChildren } from 'preact'
import { useSession } from '../frame/session.ts'
import { Disclosure } from './disclosure.tsx'

interface FormulaProps {
  /** The title of what is counted. */
  readonly about: string
  /** The heading of the rule in the documentation of the figures, if it has one. */
  readonly rule?: string | undefined
  readonly children: ComponentChildren
}

/** How figures are counted, folded, with a link to the rule. */
export const Formula = ({ about, rule, children }: FormulaProps) => {
  const { docsUrl } = useSession()
  return (
    <Disclosure about={about} summary="How this is counted">
      <p class="formula">
        {children} {rule && docsUrl && <a href={`${docsUrl}#description/${rule}`}>The rule, with examples</a>}
      </p>
    </Disclosure>
  )
}
