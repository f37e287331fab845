import type { ComponentChildren } from 'preact'

interface MenuProps {
  readonly title: string
  readonly class?: string
  readonly children: ComponentChildren
}

/** Closes a menu once something in it was chosen, or the focus leaves it. */
const close = (menu: HTMLDetailsElement) => {
  menu.open = false
}

/** Choices that are folded under their title until they are wanted. */
export const Menu = ({ title, class: name = '', children }: MenuProps) => (
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
    <summary class={name}>{title}</summary>
    <div class="card">{children}</div>
  </details>
)
