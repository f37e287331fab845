import { readFileSync } from 'node:fs'
import { sectionSearch } from '../../../console/guides/find.ts'
import { guideSections, operationSections, type Section } from '../../../console/guides/sections.ts'
import { openApiDocument } from '../../../shared/openapi/document.ts'
import { guides } from '../../../shared/site/guides.ts'
import { sourceFiles } from '../../support/sources.ts'

const text = `# Guide

Begin here.

## Lists of \`things\`

Use [a **cursor**](#description/lists), with \`limit\`:

\`\`\`sh
# not a heading
echo list
\`\`\`

More about lists.

### An example

| month | churn |
|---|--:|
| 2026-01 | 19.00 |

## An example

Déjà vu, in private.
`

describe('the sections of a guide', () => {
  const sections = guideSections(text)

  it('have the titles and addresses of its headings, and the text below without Markdown', () => {
    expect(sections).toEqual([
      { title: 'Guide', level: 1, group: 'Guide', address: 'description/guide', text: 'Begin here.' },
      {
        title: 'Lists of things',
        level: 2,
        group: 'Guide',
        address: 'description/lists-of-things',
        text: 'Use a cursor, with limit: # not a heading echo list More about lists.',
      },
      {
        title: 'An example',
        level: 3,
        group: 'Guide',
        address: 'description/an-example',
        text: 'month churn 2026-01 19.00',
      },
      {
        title: 'An example',
        level: 2,
        group: 'Guide',
        address: 'description/an-example-1',
        text: 'Déjà vu, in private.',
      },
    ])
  })

  it.each([
    ['lists', ['lists-of-things']],
    ['LIM', ['lists-of-things']],
    ['deja', ['an-example-1']],
    ['example churn', ['an-example']],
    ['example', ['an-example-1', 'an-example']],
    ['vat', []],
    ['  ', []],
    ['a.', []],
  ])('are found by the beginnings of words, upper levels first: "%s" finds %j', (typed, names) => {
    const found = sectionSearch(sections)(typed).map(({ section }) => section.address)
    expect(found).toEqual(names.map((name) => `description/${name}`))
  })

  it('are shown with the text around the first word of the search', () => {
    const [found] = sectionSearch(sections)('cursor limit')
    expect(found).toMatchObject({
      before: 'Use a ',
      word: 'cursor',
      after: expect.stringMatching(/^, with limit/),
    })
  })
})

type Paths = Parameters<typeof operationSections>[0]

describe('the search in the documentation', () => {
  const { paths } = openApiDocument('') as unknown as { paths: Paths }
  const sections: Section[] = [...guideSections(guides()), ...operationSections(paths)]
  const search = sectionSearch(sections)

  it.each(['churn', 'deferred', 'VAT', 'Excel', 'cohorts', 'upsert', 'MRR'])('finds "%s"', (word) => {
    const found = search(word)
    expect(found).not.toEqual([])
    for (const { section } of found)
      expect(`${section.title} ${section.group} ${section.text}`.toLowerCase()).toContain(word.toLowerCase())
  })

  it('finds an operation by its name and by its path', () => {
    const addresses = (typed: string) => search(typed).map(({ section }) => section.address)
    expect(addresses('create an invoice')[0]).toBe('tag/invoices/POST/api/invoices')
    expect(addresses('PUT /api/customers/')).toContain('tag/customers/PUT/api/customers/{id}')
  })

  it('has a different address for each section', () => {
    const addresses = sections.map(({ address }) => address)
    expect(new Set(addresses).size).toBe(addresses.length)
  })
})

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
