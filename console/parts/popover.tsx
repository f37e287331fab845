import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface PopoverProps {
  readonly title: ComponentChildren
  /** The name of the button for assistive technology, if its content is a sign. */
  readonly label?: string
  readonly buttonClass?: string
  /** The class of the popover: `menu` for links and actions, `wide` for code and tables. */
  readonly kind?: 'menu' | 'wide'
  readonly children: ComponentChildren
}

/** A button and the popover that it opens. It also closes when the address changes, as `main.tsx` does for all popovers. */
export const Popover = ({ title, label, buttonClass, kind, children }: PopoverProps) => {
  const id = useId()
  return (
    <>
      <button type="button" class={buttonClass} popovertarget={id} aria-label={label}>
        {title}
      </button>
      <div id={id} popover="auto" class={kind}>
        {children}
      </div>
    </>
  )
}
