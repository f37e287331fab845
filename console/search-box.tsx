import { useEffect, useRef, useState } from 'preact/hooks'
import { linkTo } from './address.ts'
import { useCopy, useIsComplete } from './copied.tsx'
import type { Found } from './copy/search.ts'
import { beginning } from './text/format.ts'

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

/** Returns the customers that the copy finds for a text as it is typed. */
const useFound = (text: string): readonly Found[] => {
  const { ask } = useCopy()
  const isComplete = useIsComplete()
  const [found, setFound] = useState<readonly Found[]>([])
  useEffect(() => {
    let isCurrent = true
    if (text.trim() === '' || !isComplete) setFound([])
    else
      ask('search', text).then(
        (answer) => isCurrent && setFound(answer),
        // Submitting the form asks the service.
        () => isCurrent && setFound([]),
      )
    return () => {
      isCurrent = false
    }
  }, [text, isComplete])
  return found
}

interface OptionProps {
  readonly found: Found
  readonly id: string
  readonly selected: boolean
  readonly choose: () => void
}

const Option = ({ found: { name, email, external_id }, id, selected, choose }: OptionProps) => (
  // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the option
  <div id={id} role="option" aria-selected={selected} onMouseDown={choose}>
    <bdi>{beginning(name, 60)}</bdi>
    <bdi class="quiet">{beginning(email ?? '', 60)}</bdi>
    {external_id && <code>{beginning(external_id, 40)}</code>}
  </div>
)

interface OptionsProps {
  readonly found: readonly Found[]
  readonly selected: number
  readonly choose: (index: number) => void
}

const Options = ({ found, selected, choose }: OptionsProps) => (
  <div id="found" role="listbox" aria-label="Customers" class="card" hidden={found.length === 0}>
    {found.map((each, index) => {
      const selection = { selected: index === selected, choose: () => choose(index) }
      return <Option key={each.id} found={each} id={`found-${index}`} {...selection} />
    })}
  </div>
)

/** The attributes by which assistive technology knows the field and the options below. */
const fieldProps = (isOpen: boolean, selected: number) =>
  ({
    type: 'text',
    role: 'combobox',
    'aria-label': 'Name, e-mail or any id',
    'aria-expanded': isOpen,
    'aria-controls': 'found',
    'aria-autocomplete': 'list',
    'aria-activedescendant': isOpen ? `found-${selected}` : undefined,
    placeholder: 'Name, e-mail or any id  /',
    autocomplete: 'off',
    spellcheck: false,
  }) as const

/** Finds a customer by name, e-mail address or id as it is typed, and asks the service for other records when submitted. */
export const SearchBox = () => {
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [open, setOpen] = useState(false)
  const [selected, setSelected] = useState(0)
  const { ask } = useCopy()
  const isComplete = useIsComplete()
  const found = useFound(text)
  useEffect(() => setSelected(0), [found])
  useSlash(() => field.current!.focus())
  const isOpen = open && found.length > 0
  const goTo = (hash: string) => {
    setText('')
    location.hash = hash
  }
  const choose = (index: number) => goTo(linkTo(['customers', found[index]!.id]))
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => setSelected((selected + 1) % found.length),
    ArrowUp: () => setSelected((selected + found.length - 1) % found.length),
    Escape: () => setText(''),
  }
  const submit = async (event: Event) => {
    event.preventDefault()
    // Asked again, since the options may be those of a shorter text.
    const options = isComplete ? await ask('search', text) : []
    const option = options[isOpen ? selected : 0] ?? options[0]
    if (option) goTo(linkTo(['customers', option.id]))
    else if (text.trim()) goTo(linkTo(['find'], { id: text.trim() }))
  }
  const pressed = (event: KeyboardEvent) => {
    const act = isOpen ? keys[event.key] : undefined
    if (!act) return
    event.preventDefault()
    act()
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
      <Options found={isOpen ? found : []} selected={selected} choose={choose} />
    </search>
  )
}
