import type { ComponentChildren } from 'preact'
import './menu.css'

interface MenuProps {
  readonly title: string
  /** A longer title for assistive technology, which contains the visible one. */
  readonly label?: string
  /** The class of the title. */
  readonly titleClass?: string
  readonly children: ComponentChildren
}

const close = (menu: HTMLDetailsElement) => {
  menu.open = false
}

/** A drop-down menu. It closes when a link is clicked, a form is submitted, the focus leaves it, or Escape is pressed. */
export const Menu = ({ title, label, titleClass = '', children }: MenuProps) => (
  <details
    class="menu"
    onClick={({ target, currentTarget }) => {
      if ((target as Element).closest('a')) close(currentTarget)
    }}
    onFocusOut={({ currentTarget, relatedTarget }) => {
      if (!currentTarget.contains(relatedTarget as Node | null)) close(currentTarget)
    }}
    onSubmit={({ currentTarget }) => close(currentTarget)}
    onKeyDown={({ key, currentTarget }) => {
      if (key === 'Escape') close(currentTarget)
    }}
  >
    <summary class={titleClass} aria-label={label}>
      {title}
    </summary>
    {/*
     * Focusable, so that the focus and thus the menu stay if an element is clicked that does not take the focus, such as a button
     * in Safari.
     */}
    <div class="card" tabIndex={-1}>
      {children}
    </div>
  </details>
)
