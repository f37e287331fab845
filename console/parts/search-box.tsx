import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Answer } from '../copy/local-copy.ts'
import { linkTo } from '../frame/address.ts'
import { useCopy, useIsComplete } from '../frame/copied.tsx'
import type { Found } from '../lists/search.ts'
import { beginning, counted, number } from '../text/format.ts'

/** Puts the focus into the search when "/" is typed anywhere but into a field. */
const useSlash = (focus: () => void) => {
  useEffect(() => {
    const typed = (event: KeyboardEvent) => {
      const isField = (event.target as Element).matches('input, textarea, select')
      if (event.key !== '/' || isField || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      focus()
    }
    addEventListener('keydown', typed)
    return () => removeEventListener('keydown', typed)
  }, [])
}

interface Answered extends Answer<'search'> {
  readonly text: string
}

const NOTHING: Answered = { text: '', found: [], count: 0 }

/** Returns the customers in the copy that match the text being typed; until they are found, those that matched the previous text. */
const useFound = (text: string): Answered => {
  const { ask, version } = useCopy()
  const isComplete = useIsComplete()
  const [answered, setAnswered] = useState(NOTHING)
  useEffect(() => {
    let isCurrent = true
    if (text.trim() === '' || !isComplete) setAnswered(NOTHING)
    else
      ask('search', text).then(
        (answer) => isCurrent && setAnswered({ ...answer, text }),
        // Submitting the form asks the service.
        () => isCurrent && setAnswered(NOTHING),
      )
    return () => {
      isCurrent = false
    }
  }, [text, isComplete, version])
  return text.trim() === '' ? NOTHING : answered
}

const linksOf = ({ text, found, count }: Answered): string[] => [
  ...found.map(({ id }) => linkTo(['customers', id])),
  ...(count > found.length ? [linkTo(['customers'], { text })] : []),
]

const Customer = ({ name, email, external_id }: Found) => (
  <>
    <bdi>{beginning(name, 60)}</bdi>
    <bdi class="quiet">{beginning(email ?? '', 60)}</bdi>
    {external_id && <code>{beginning(external_id, 40)}</code>}
  </>
)

interface OptionsProps {
  readonly answered: Answered
  readonly selected: number
  readonly choose: (link: string) => void
}

const Options = ({ answered, selected, choose }: OptionsProps) => {
  const { found, count } = answered
  const links = linksOf(answered)
  return (
    <div id="found" role="listbox" aria-label="Customers" class="card" hidden={links.length === 0}>
      {links.map((link, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the option
        <div
          key={link}
          id={`found-${index}`}
          role="option"
          aria-selected={index === selected}
          onMouseDown={() => choose(link)}
        >
          {found[index] ? (
            <Customer {...found[index]} />
          ) : (
            `${counted(count - found.length, 'more customer')}: show all ${number(count)}`
          )}
        </div>
      ))}
    </div>
  )
}

/** The attributes by which assistive technology knows the field and the options below. */
const fieldProps = (isOpen: boolean, selected: number) =>
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

/** Finds a customer by name, email address or id as it is typed, and asks the service for other records when submitted. */
export const SearchBox = () => {
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [open, setOpen] = useState(false)
  const [selected, setSelected] = useState(0)
  const { ask } = useCopy()
  const isComplete = useIsComplete()
  const answered = useFound(text)
  const options = linksOf(answered).length
  useLayoutEffect(() => setSelected(0), [answered])
  useSlash(() => field.current!.focus())
  const isOpen = open && options > 0
  const hasNone = open && options === 0 && answered !== NOTHING && answered.text === text
  const goTo = (hash: string) => {
    setText('')
    location.hash = hash
  }
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => setSelected((selected + 1) % options),
    ArrowUp: () => setSelected((selected + options - 1) % options),
    Escape: () => setText(''),
  }
  const submit = async (event: Event) => {
    event.preventDefault()
    // Asked again, since the options may be those of a shorter text.
    const links = isComplete ? linksOf({ ...(await ask('search', text)), text }) : []
    const link = links[isOpen ? selected : 0] ?? links[0]
    if (link) goTo(link)
    else if (text.trim()) goTo(linkTo(['find'], { id: text.trim() }))
  }
  const pressed = (event: KeyboardEvent) => {
    if (!isOpen || !keys[event.key]) return
    event.preventDefault()
    keys[event.key]!()
  }
  return (
    <search class="search">
      <form aria-label="Search" onSubmit={submit}>
        <input
          {...fieldProps(isOpen, selected)}
          ref={field}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onFocus={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onKeyDown={pressed}
        />
      </form>
      <Options answered={isOpen ? answered : NOTHING} selected={selected} choose={goTo} />
      <p role="status" class={hasNone ? 'card' : ''}>
        {hasNone && 'No customer has this name, email address or id. Enter looks among all other records.'}
      </p>
    </search>
  )
}
