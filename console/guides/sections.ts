import { codeBlocks, plainText, slug } from './markdown.ts'

export interface Section {
  readonly title: string
  /** The level of the heading: 1 for a guide. An operation has the level of a section of a guide, 2. */
  readonly level: number
  /** The guide of a section, or the resource of an operation. */
  readonly group: string
  /** The part of the section's address after `#`. */
  readonly address: string
  readonly text: string
}

/** The headings of a Markdown text with the texts after them, in order. A line in a code block is not a heading. */
const blocksOf = (markdown: string): { readonly heading: string | undefined; readonly text: string }[] =>
  markdown.split(codeBlocks).flatMap((part) => {
    if (part.startsWith('```')) return [{ heading: undefined, text: part }]
    const textsWithHeading = part.split(/^(?=#+ )/gm).filter((text) => text !== '')
    return textsWithHeading.map((text) => {
      const [line = ''] = text.split('\n', 1)
      return line.startsWith('#')
        ? { heading: line, text: text.slice(line.length) }
        : { heading: undefined, text }
    })
  })

/** The sections of the guides, which are one Markdown text: a heading of the first level begins a guide. */
export const guideSections = (markdown: string): Section[] => {
  const sections: Section[] = []
  const slugCounts = new Map<string, number>()
  let group = ''
  for (const { heading, text } of blocksOf(markdown)) {
    const last = sections.at(-1)
    if (heading === undefined) {
      if (last) sections[sections.length - 1] = { ...last, text: `${last.text} ${plainText(text)}`.trim() }
      continue
    }
    const title = plainText(heading.replace(/^#+ /, ''))
    const level = heading.indexOf(' ')
    if (level === 1) group = title
    const name = slug(title)
    const slugCount = slugCounts.get(name) ?? 0
    slugCounts.set(name, slugCount + 1)
    const address = `description/${name}${slugCount > 0 ? `-${slugCount}` : ''}`
    sections.push({ title, level, group, address, text: plainText(text) })
  }
  return sections
}

interface Operation {
  readonly operationId?: string
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
}

export const operationSections = (
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>,
): Section[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { operationId }]) => operationId !== undefined)
      .map(([method, { summary = path, description = '', tags: [tag = ''] = [] }]) => ({
        title: summary,
        level: 2,
        group: tag,
        address: `tag/${slug(tag)}/${method.toUpperCase()}${path}`,
        text: `${method.toUpperCase()} ${path} ${plainText(description)}`,
      })),
  )
