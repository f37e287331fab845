import { readFileSync } from 'node:fs'
import { walkThrough } from './support/walkthrough.ts'

const textOf = (file: string): string => readFileSync(file, 'utf8')
const sectionsOf = (file: string, from: string, to: string): string => {
  const text = textOf(file)
  return text.slice(text.indexOf(from), text.indexOf(to))
}

/** The guides whose commands continue the README's tour. */
const guides = ['authentication', 'pagination', 'erasure'].map((name) => textOf(`docs/${name}.md`))

it.each([
  ['README.md', [sectionsOf('README.md', '## A five-minute tour', '## The API in a page'), ...guides]],
  ['docs/data.md', [sectionsOf('docs/data.md', '# ', '## Remove an application')]],
])('%s shows the real answers to its commands', async (_, texts) => {
  const { printed, shown } = await walkThrough(texts.join('\n'))
  expect(printed).toEqual(shown)
})
