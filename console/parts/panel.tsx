import type { ComponentChildren } from 'preact'
import { Explanation } from './explanation.tsx'
import { Popover } from './popover.tsx'

interface PanelProps {
  readonly title: string
  /** What is counted, in a few words. */
  readonly note?: string | undefined
  /** How it is counted; without it, there is no control of an explanation. */
  readonly explanation?: ComponentChildren
  /** The anchor of the rule in the documentation of the figures, if it has a rule. */
  readonly rule?: string | undefined
  /** The buttons and links of the menu of further actions. */
  readonly actions?: ComponentChildren
  /** The class of its width. */
  readonly width?: string
  readonly children: ComponentChildren
}

/** A part of a page with its title, its explanation and its further actions. */
export const Panel = ({ title, note, explanation, rule, actions, width = '', children }: PanelProps) => (
  <section class={`card ${width}`}>
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
