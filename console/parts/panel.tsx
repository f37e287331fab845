import type { ComponentChildren } from 'preact'
import { Explanation } from './explanation.tsx'
import { Popover } from './popover.tsx'

interface PanelProps {
  readonly title: string
  readonly note?: string | undefined
  /** How it is counted; without it, there is no control of an explanation. */
  readonly explanation?: ComponentChildren
  readonly rule?: string | undefined
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

export const Panel = ({ title, note, explanation, rule, actions, children }: PanelProps) => (
  <section class="card">
    <header>
      <h2>{title}</h2>
      {note && <small>{note}</small>}
      <span class="push">
        {explanation && (
          <Explanation about={title} rule={rule}>
            <p>{explanation}</p>
          </Explanation>
        )}
        {actions && (
          <Popover title="⋯" label={`More about ${title}`} buttonClass="icon more" kind="menu">
            {actions}
          </Popover>
        )}
      </span>
    </header>
    {children}
  </section>
)
