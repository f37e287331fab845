import type { ComponentChildren } from 'preact'
import { useSession } from '../frame/session.ts'
import { Disclosure } from './disclosure.tsx'
import './formula.css'

interface FormulaProps {
  /** The title of the chart or table that the formula explains. */
  readonly about: string
  /** The anchor of the rule in the documentation of the figures, if it has a rule. */
  readonly rule?: string | undefined
  readonly children: ComponentChildren
}

/** A collapsible explanation of how figures are counted, with a link to the rule if the documentation is served. */
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
