import { useMemo, useState } from 'preact/hooks'
import { Combobox } from '../parts/combobox.tsx'
import { type FoundSection, sectionSearch } from './find.ts'
import { jumpTo } from './jump.ts'
import type { Section } from './sections.ts'

interface BarProps {
  readonly title: string
  readonly sections: readonly Section[]
  /** The address of the console; undefined if the server has none. */
  readonly consoleAddress: string | undefined
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
  const [text, setText] = useState('')
  const search = useMemo(() => sectionSearch(sections), [sections])
  const found = useMemo(() => search(text), [search, text])
  const openSection = (index: number) => {
    const address = found[index]?.section.address
    if (address === undefined) return
    setText('')
    jumpTo(address)
  }
  return (
    <Combobox
      label="Search the documentation"
      placeholder="Search  /"
      optionsLabel="Sections"
      text={text}
      setText={setText}
      options={found.map((result) => ({ key: result.section.address, content: <Result {...result} /> }))}
      noMatch={text.trim() === '' ? '' : 'No section contains these words.'}
      openOption={openSection}
      submit={openSection}
    />
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
