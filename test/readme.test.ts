import { readFileSync } from 'node:fs'
import { walkThrough } from './support/walkthrough.ts'

const sectionsOf = (file: string, from: string, to: string): string => {
  const text = readFileSync(file, 'utf8')
  return text.slice(text.indexOf(from), text.indexOf(to))
}

it.each([
  ['README.md', '## A five-minute tour', '## The API in a page'],
  ['docs/data.md', '# ', '## Remove an application'],
])('%s shows the answers of its commands', async (file, from, to) => {
  const { printed, shown } = await walkThrough(sectionsOf(file, from, to))
  expect(printed).toEqual(shown)
})
