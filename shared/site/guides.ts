import { readFileSync } from 'node:fs'
import { codeBlocks, slug } from '../../console/guides/markdown.ts'

/** The guides of the documentation page, in order: whole documents, or some of their sections. */
const sources: readonly { readonly file: string; readonly sections?: readonly string[] }[] = [
  { file: 'README.md', sections: ['API overview', 'A five-minute tour'] },
  { file: 'docs/api.md' },
  { file: 'docs/errors.md' },
  { file: 'docs/recording.md' },
  { file: 'docs/analytics.md' },
  { file: 'docs/figures.md' },
  { file: 'docs/client.md' },
  { file: 'docs/integrate.md' },
  {
    file: 'docs/data.md',
    sections: [
      'Load your history in five minutes',
      'Correct a wrong invoice',
      'A subscription did not update',
    ],
  },
]

/** The introduction of the page: what the API is, and where to start. */
const INTRODUCTION = `# Start here

Record what your application bills, and read it back: products, prices, customers, discounts, invoices
with line items, and the subscriptions that follow from them, as JSON over HTTP.

Start with [a five-minute tour](README.md#a-five-minute-tour), with the [typed client](client.md), or with an operation
in the list: its "Test Request" sends the example.
`

const root = new URL('../../', import.meta.url)

/** A Markdown text with `change` applied to all parts outside blocks of code. */
const outsideCode = (text: string, change: (prose: string) => string): string =>
  text
    .split(codeBlocks)
    .map((part) => (part.startsWith('```') ? part : change(part)))
    .join('')

/** A section of a document. Its heading is raised to the first level, and those below it by one level. */
const sectionOf = (text: string, heading: string): string => {
  const [, after] = text.split(`\n## ${heading}\n`)
  if (after === undefined) throw new Error(`There is no section "${heading}"`)
  const [section = ''] = after.split(/\n## /)
  return outsideCode(`## ${heading}\n${section}`, (prose) => prose.replaceAll(/^#(#+ )/gm, '$1'))
}

const headingsIn = (text: string): string[] => {
  const prose = text.replaceAll(codeBlocks, '')
  return [...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading)
}

/** A text whose headings contain no code, which Scalar would leave out of their addresses. */
const withPlainHeadings = (text: string): string =>
  outsideCode(text, (prose) => prose.replaceAll(/^#.*$/gm, (heading) => heading.replaceAll('`', '')))

/**
 * The guides as one Markdown text. Links among them lead to their headings on the page. Links to other
 * documents are replaced by their text.
 */
export const guides = (): string => {
  const parts = sources.map(({ file, sections }) => {
    const text = readFileSync(new URL(file, root), 'utf8')
    return { file, text: sections?.map((heading) => sectionOf(text, heading)).join('\n') ?? text }
  })
  const whole = withPlainHeadings([INTRODUCTION, ...parts.map(({ text }) => text)].join('\n'))
  const slugs = new Set(headingsIn(whole).map(slug))
  // A link to a whole document leads to its first heading.
  const firstSlugs = new Map(
    parts.map(({ file, text }) => [file.replace('docs/', ''), slug(headingsIn(text)[0] ?? '')]),
  )
  return outsideCode(whole, (prose) =>
    prose.replaceAll(/\[([^\]]+)\]\((?!https:)([^)#]*)(?:#([^)]*))?\)/g, (_, label, file, anchor) => {
      // Links have GitHub's anchors, which keep underscores. Scalar's addresses of headings have hyphens
      // instead.
      const target = anchor?.replaceAll('_', '-') ?? firstSlugs.get(file.replace(/^(?:\.\.\/|docs\/)/, ''))
      return slugs.has(target) ? `[${label}](#description/${target})` : label
    }),
  )
}
