import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Answer } from '../copy/answers.ts'
import { linkTo } from '../frame/address.ts'
import { useCopy, useIsComplete } from '../frame/copy-context.tsx'
import type { FoundCustomer } from '../lists/search.ts'
import { beginning, counted, number } from '../text/format.ts'

const useSlashKey = (focus: () => void) => {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isInField = (event.target as Element).matches('input, textarea, select')
      const hasModifier = event.ctrlKey || event.metaKey || event.altKey
      if (event.key !== '/' || isInField || hasModifier) return
      event.preventDefault()
      focus()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}

interface SearchResult extends Answer<'search'> {
  readonly text: string
}

const EMPTY_RESULT: SearchResult = { text: '', found: [], count: 0 }

/** Returns the customers in the copy that match the typed text and, until they are found, those that matched the previous text. */
const useSearchResult = (text: string): SearchResult => {
  const { ask, version } = useCopy()
  const isComplete = useIsComplete()
  const [result, setResult] = useState(EMPTY_RESULT)
  const isEmpty = text.trim() === ''
  useEffect(() => {
    let isCurrent = true
    const update = (newer: SearchResult) => {
      if (isCurrent) setResult(newer)
    }
    if (isEmpty || !isComplete) update(EMPTY_RESULT)
    else
      ask('search', text).then(
        (answer) => update({ ...answer, text }),
        // The user can still submit the form, which asks the service.
        () => update(EMPTY_RESULT),
      )
    return () => {
      isCurrent = false
    }
  }, [text, isComplete, version])
  return isEmpty ? EMPTY_RESULT : result
}

const optionLinks = ({ text, found, count }: SearchResult): string[] => [
  ...found.map(({ id }) => linkTo(['customers', id])),
  ...(count > found.length ? [linkTo(['customers'], { text })] : []),
]

const CustomerOption = ({ name, email, external_id }: FoundCustomer) => (
  <>
    <bdi>{beginning(name, 60)}</bdi>
    <bdi class="quiet">{beginning(email ?? '', 60)}</bdi>
    {external_id && <code>{beginning(external_id, 40)}</code>}
  </>
)

interface OptionsProps {
  readonly result: SearchResult
  readonly selected: number
  readonly openLink: (link: string) => void
}

const Options = ({ result, selected, openLink }: OptionsProps) => {
  const { found, count } = result
  const links = optionLinks(result)
  return (
    <div id="found" role="listbox" aria-label="Customers" class="card" hidden={links.length === 0}>
      {links.map((link, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which refers to the option
        <div
          key={link}
          id={`found-${index}`}
          role="option"
          aria-selected={index === selected}
          onMouseDown={() => openLink(link)}
        >
          {found[index] ? (
            <CustomerOption {...found[index]} />
          ) : (
            `${counted(count - found.length, 'more customer')}: show all ${number(count)}`
          )}
        </div>
      ))}
    </div>
  )
}

const fieldAttributes = (isOpen: boolean, selected: number) =>
  ({
    type: 'text',
    role: 'combobox',
    'aria-label': 'Name, email or any id',
    'aria-expanded': isOpen,
    'aria-controls': 'found',
    'aria-autocomplete': 'list',
    'aria-activedescendant': isOpen ? `found-${selected}` : undefined,
    placeholder: 'Name, email or any id  /',
    autocomplete: 'off',
    spellcheck: false,
  }) as const

/** Finds customers by name, email address or id while the user types. When submitted, it asks the service for other records. */
export const SearchBox = () => {
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [hasFocus, setHasFocus] = useState(false)
  const [selected, setSelected] = useState(0)
  const { ask } = useCopy()
  const isComplete = useIsComplete()
  const result = useSearchResult(text)
  const optionCount = optionLinks(result).length
  useLayoutEffect(() => setSelected(0), [result])
  useSlashKey(() => field.current!.focus())
  const isOpen = hasFocus && optionCount > 0
  const isResultOfText = result !== EMPTY_RESULT && result.text === text
  const hasNoMatch = hasFocus && optionCount === 0 && isResultOfText
  const openLink = (link: string) => {
    setText('')
    location.hash = link
  }
  const submit = async (event: Event) => {
    event.preventDefault()
    // Searches again, because the options may still be those of an earlier text.
    const links = isComplete ? optionLinks({ ...(await ask('search', text)), text }) : []
    const link = links[isOpen ? selected : 0] ?? links[0]
    if (link) openLink(link)
    else if (text.trim()) openLink(linkTo(['find'], { id: text.trim() }))
  }
  const keyActions: Readonly<Record<string, () => void>> = {
    ArrowDown: () => setSelected((selected + 1) % optionCount),
    ArrowUp: () => setSelected((selected + optionCount - 1) % optionCount),
    Escape: () => setText(''),
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const action = keyActions[event.key]
    if (!isOpen || !action) return
    event.preventDefault()
    action()
  }
  return (
    <search class="search">
      <form aria-label="Search" onSubmit={submit}>
        <input
          {...fieldAttributes(isOpen, selected)}
          ref={field}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onFocus={() => setHasFocus(true)}
          onBlur={() => setHasFocus(false)}
          onKeyDown={onKeyDown}
        />
      </form>
      <Options result={isOpen ? result : EMPTY_RESULT} selected={selected} openLink={openLink} />
      <p role="status" class={hasNoMatch ? 'card' : ''}>
        {hasNoMatch && 'Press Enter to look up an id or a number.'}
      </p>
    </search>
  )
}
