import { useEffect, useState } from 'preact/hooks'
import type { Answer } from '../copy/answers.ts'
import { linkTo } from '../frame/address.ts'
import { useCopy, useIsComplete } from '../frame/copy-context.tsx'
import type { FoundCustomer } from '../lists/search.ts'
import { Combobox } from '../parts/combobox.tsx'
import { beginning, counted, number } from '../text/format.ts'

interface SearchResult extends Answer<'search'> {
  readonly text: string
}

const EMPTY_RESULT: SearchResult = { text: '', found: [], count: 0 }

/** The customers in the copy that match the typed text and, until they are found, those that matched the previous text. */
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

const CustomerOption = ({ name, email, external_id }: FoundCustomer) => (
  <>
    <bdi>{beginning(name, 60)}</bdi>
    <bdi class="quiet">{beginning(email ?? '', 60)}</bdi>
    {external_id && <code>{beginning(external_id, 40)}</code>}
  </>
)

/** The options by their links: the found customers and, if there are more, the list of all of them. */
const optionsOf = ({ text, found, count }: SearchResult) => {
  const customers = found.map((customer) => ({
    key: linkTo(['customers', customer.id]),
    content: <CustomerOption {...customer} />,
  }))
  if (count <= found.length) return customers
  const content = `${counted(count - found.length, 'more customer')}: show all ${number(count)}`
  return [...customers, { key: linkTo(['customers'], { text }), content }]
}

/** Finds customers by name, email address or id while the user types. When submitted, it asks the service for other records. */
export const SearchBox = () => {
  const [text, setText] = useState('')
  const { ask } = useCopy()
  const isComplete = useIsComplete()
  const result = useSearchResult(text)
  const options = optionsOf(result)
  const isResultOfText = result !== EMPTY_RESULT && result.text === text
  const openLink = (link: string) => {
    setText('')
    location.hash = link
  }
  const submit = async (index: number) => {
    // Searches again, because the options may still be those of an earlier text.
    const current = isComplete ? optionsOf({ ...(await ask('search', text)), text }) : []
    const option = current[index] ?? current[0]
    if (option) openLink(option.key)
    else if (text.trim()) openLink(linkTo(['find'], { id: text.trim() }))
  }
  return (
    <Combobox
      label="Name, email or any id"
      placeholder="Name, email or any id  /"
      optionsLabel="Customers"
      text={text}
      setText={setText}
      options={options}
      noMatch={isResultOfText ? 'Press Enter to look up an id or a number.' : ''}
      openOption={(index) => openLink(options[index]!.key)}
      submit={submit}
    />
  )
}
