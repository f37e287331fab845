import type { ComponentChildren } from 'preact'
import { useSession } from '../frame/session.ts'
import { Popover } from './popover.tsx'

interface ExplanationProps {
  readonly about: string
  /** The anchor of the rule in the documentation of the figures, if it has a rule. */
  readonly rule?: string | undefined
  readonly children: ComponentChildren
}

/** The one control of an explanation: how figures are counted, with a link to the rule if the documentation is served. */
export const Explanation = ({ about, rule, children }: ExplanationProps) => {
  const { docsUrl } = useSession()
  return (
    <Popover title="?" label={`About ${about}`} buttonClass="icon">
      <h3>{about}</h3>
      {children}
      {rule && docsUrl && (
        <p>
          <a href={`${docsUrl}#description/${rule}`}>The rule, with examples</a>
        </p>
      )}
    </Popover>
  )
}
