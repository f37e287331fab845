import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type FoundSection, sectionSearch } from './find.ts'
import { jumpTo } from './jump.ts'
import type { Section } from './sections.ts'

interface BarProps {
  readonly title: string
  readonly sections: readonly Section[]
  /** The address of the console; undefined if the server has none. */
  readonly consoleAddress: string | undefined
}

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

const Result = ({ section, before, word, after }: FoundSection) => (
  <>
    <strong>{section.title}</strong> <small>{section.group}</small>
    <p>
      {before}
      <mark>{word}</mark>
      {after}
    </p>
  </>
)

const Search = ({ sections }: Pick<BarProps, 'sections'>) => {
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [hasFocus, setHasFocus] = useState(false)
  const [selected, setSelected] = useState(0)
  const search = useMemo(() => sectionSearch(sections), [sections])
  const found = useMemo(() => search(text), [search, text])
  useSearchShortcut(() => field.current!.focus())
  const openSection = ({ section }: FoundSection) => {
    setText('')
    field.current!.blur()
    jumpTo(section.address)
  }
  const keyActions: Readonly<Record<string, () => void>> = {
    ArrowDown: () => setSelected((selected + 1) % found.length),
    ArrowUp: () => setSelected((selected + found.length - 1) % found.length),
    Enter: () => openSection(found[selected]!),
    Escape: () => setText(''),
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const action = found.length > 0 ? keyActions[event.key] : undefined
    if (!action) return
    event.preventDefault()
    action()
  }
  const isShown = hasFocus && text.trim() !== ''
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
        onFocus={() => setHasFocus(true)}
        onBlur={() => setHasFocus(false)}
        onKeyDown={onKeyDown}
      />
      <div id="found" role="listbox" aria-label="Sections" hidden={!isShown || found.length === 0}>
        {found.map((result, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which refers to the option
          <div
            key={result.section.address}
            id={`found-${index}`}
            role="option"
            aria-selected={index === selected}
            ref={(row) => {
              if (index === selected) row?.scrollIntoView({ block: 'nearest' })
            }}
            onMouseDown={() => openSection(result)}
          >
            <Result {...result} />
          </div>
        ))}
      </div>
      <p role="status">{isShown && found.length === 0 ? 'No section contains these words.' : ''}</p>
    </search>
  )
}

export const Bar = ({ title, sections, consoleAddress }: BarProps) => (
  <header class="guide-bar">
    <a href="#description/start-here" class="title">
      {title}
    </a>
    <Search sections={sections} />
    {consoleAddress && <a href={consoleAddress}>Console</a>}
  </header>
)
