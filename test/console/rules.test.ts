import { readFileSync } from 'node:fs'
import { sourceFiles } from '../support/sources.ts'

/** Returns the part of an address that leads to a heading of a guide. */
const addressOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} -]/gu, '')
    .trim()
    .replaceAll(' ', '-')

it('every "How this is counted" leads to a heading of the documentation of the figures', () => {
  const headings = [...readFileSync('docs/figures.md', 'utf8').matchAll(/^## (.*)$/gm)].map(
    ([, heading]) => heading!,
  )
  const rules = sourceFiles
    .filter((file) => file.startsWith('console/') && file.endsWith('.tsx'))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\brule="([^"]+)"/g)].map(([, rule]) => rule!))
  expect(rules.length).toBeGreaterThan(8)
  const known = headings.map(addressOf)
  expect(rules.filter((rule) => !known.includes(rule))).toEqual([])
})
