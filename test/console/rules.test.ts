import { readFileSync } from 'node:fs'
import { sourceFiles } from '../support/sources.ts'

/** Returns the part of an address that leads to a heading of a guide. */
const addressOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} -]/gu, '')
    .trim()
    .replaceAll(' ', '-')

it('every link from an explanation to a rule leads to a heading of docs/figures.md', () => {
  const headings = readFileSync('docs/figures.md', 'utf8').matchAll(/^## (.*)$/gm)
  const addresses = new Set([...headings].map(([, heading]) => addressOf(heading!)))
  const rules = sourceFiles
    .filter((file) => file.startsWith('console/') && /\.tsx?$/.test(file))
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\b(?:rule(?:=|: )|\w+_RULE = )["']([^"']+)["']/g)].map(
        ([, rule]) => rule!,
      ),
    )
  expect(rules.length).toBeGreaterThan(8)
  expect(rules.filter((rule) => !addresses.has(rule))).toEqual([])
})
