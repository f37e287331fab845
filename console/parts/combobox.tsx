import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

/** Calls `focus` when "/" is typed outside of a field, and on Ctrl-K or Command-K. */
const useSearchShortcut = (focus: () => void) => {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event
      const isInField = (event.target as Element).matches('input, textarea, select, [contenteditable]')
      const isSlash = key === '/' && !isInField && !ctrlKey && !metaKey && !altKey
      const isCommand = key === 'k' && (ctrlKey || metaKey)
      if (!isSlash && !isCommand) return
      event.preventDefault()
      focus()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}

export interface ComboboxOption {
  readonly key: string
  readonly content: ComponentChildren
}

interface ComboboxProps {
  readonly label: string
  readonly placeholder: string
  readonly optionsLabel: string
  readonly text: string
  readonly setText: (text: string) => void
  readonly options: readonly ComboboxOption[]
  /** What is said without options; empty while they are unknown. */
  readonly noMatch: string
  readonly openOption: (index: number) => void
  /** Is called on Enter, with the index of the selected option, or 0 if none is shown. */
  readonly submit: (index: number) => void
}

/** A search field with options below it, one of which the arrow keys select. */
export const Combobox = (props: ComboboxProps) => {
  const { label, placeholder, optionsLabel, text, setText, options, noMatch, openOption, submit } = props
  const field = useRef<HTMLInputElement>(null)
  const [hasFocus, setHasFocus] = useState(false)
  const [selected, setSelected] = useState(0)
  useLayoutEffect(() => setSelected(0), [options.map(({ key }) => key).join(' ')])
  useSearchShortcut(() => field.current!.focus())
  const isOpen = hasFocus && options.length > 0
  const status = hasFocus && options.length === 0 ? noMatch : ''
  const keyActions: Readonly<Record<string, () => void>> = {
    ArrowDown: () => setSelected((selected + 1) % options.length),
    ArrowUp: () => setSelected((selected + options.length - 1) % options.length),
    Escape: () => setText(''),
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const action = keyActions[event.key]
    if (!isOpen || !action) return
    event.preventDefault()
    action()
  }
  const onSubmit = (event: Event) => {
    event.preventDefault()
    if (text.trim()) field.current!.blur()
    submit(isOpen ? selected : 0)
  }
  return (
    <search class="search">
      <form aria-label="Search" onSubmit={onSubmit}>
        <input
          ref={field}
          type="text"
          role="combobox"
          aria-label={label}
          aria-expanded={isOpen}
          aria-controls="found"
          aria-autocomplete="list"
          aria-activedescendant={isOpen ? `found-${selected}` : undefined}
          placeholder={placeholder}
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onFocus={() => setHasFocus(true)}
          onBlur={() => setHasFocus(false)}
          onKeyDown={onKeyDown}
        />
      </form>
      <div id="found" role="listbox" aria-label={optionsLabel} hidden={!isOpen}>
        {options.map(({ key, content }, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which refers to the option
          <div
            key={key}
            id={`found-${index}`}
            role="option"
            aria-selected={index === selected}
            ref={(row) => {
              if (isOpen && index === selected) row?.scrollIntoView({ block: 'nearest' })
            }}
            onMouseDown={() => openOption(index)}
          >
            {content}
          </div>
        ))}
      </div>
      <p role="status">{status}</p>
    </search>
  )
}
