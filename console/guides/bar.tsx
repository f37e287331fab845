import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type Found, searchIn } from './find.ts'
import type { Section } from './sections.ts'

interface BarProps {
  readonly title: string
  readonly sections: readonly Section[]
  /** The address of the console; undefined if the server has none. */
  readonly consoleAddress: string | undefined
}

/** Puts the focus into the search when "/" is typed anywhere but into a field, and on Ctrl-K or Command-K. */
const useShortcut = (focus: () => void) => {
  useEffect(() => {
    const typed = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event
      const isField = (event.target as Element).matches('input, textarea, select, [contenteditable]')
      const isSlash = key === '/' && !isField && !ctrlKey && !metaKey && !altKey
      const isCommand = key === 'k' && (ctrlKey || metaKey)
      if (!isSlash && !isCommand) return
      event.preventDefault()
      focus()
    }
    addEventListener('keydown', typed)
    return () => removeEventListener('keydown', typed)
  }, [])
}

const Result = ({ section, before, word, after }: Found) => (
  <>
    <strong>{section.title}</strong> <small>{section.group}</small>
    <p>
      {before}
      <mark>{word}</mark>
      {after}
    </p>
  </>
)

/** Finds sections of the guides and operations by the words of their text, as they are typed. */
const Search = ({ sections }: Pick<BarProps, 'sections'>) => {
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [selected, setSelected] = useState(0)
  const search = useMemo(() => searchIn(sections), [sections])
  const found = useMemo(() => search(text), [search, text])
  useShortcut(() => field.current!.focus())
  const goTo = ({ section }: Found) => {
    setText('')
    field.current!.blur()
    location.hash = section.address
  }
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => setSelected((selected + 1) % found.length),
    ArrowUp: () => setSelected((selected + found.length - 1) % found.length),
    Enter: () => goTo(found[selected]!),
    Escape: () => setText(''),
  }
  const pressed = (event: KeyboardEvent) => {
    const act = found.length > 0 ? keys[event.key] : undefined
    if (!act) return
    event.preventDefault()
    act()
  }
  const isShown = isOpen && text.trim() !== ''
  return (
    <search>
      <input
        ref={field}
        type="text"
        role="combobox"
        aria-label="Search the documentation"
        aria-expanded={isShown && found.length > 0}
        aria-controls="found"
        aria-autocomplete="list"
        aria-activedescendant={isShown && found.length > 0 ? `found-${selected}` : undefined}
        placeholder="Search  /"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          setSelected(0)
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={pressed}
      />
      <div id="found" role="listbox" aria-label="Sections" hidden={!isShown || found.length === 0}>
        {found.map((each, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the option
          <div
            key={each.section.address}
            id={`found-${index}`}
            role="option"
            aria-selected={index === selected}
            ref={(row) => {
              if (index === selected) row?.scrollIntoView({ block: 'nearest' })
            }}
            onMouseDown={() => goTo(each)}
          >
            <Result {...each} />
          </div>
        ))}
      </div>
      <p role="status">{isShown && found.length === 0 ? 'No section has these words.' : ''}</p>
    </search>
  )
}

/** The bar above the documentation: its title, the search, and the way to the console. */
export const Bar = ({ title, sections, consoleAddress }: BarProps) => (
  <header class="guide-bar">
    <a href="#description/start-here" class="title">
      {title}
    </a>
    <Search sections={sections} />
    {consoleAddress && <a href={consoleAddress}>Console</a>}
  </header>
)
