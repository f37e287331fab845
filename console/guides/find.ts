import { fold } from '../text/fold.ts'
import type { Section } from './sections.ts'

export interface FoundSection {
  readonly section: Section
  readonly before: string
  readonly word: string
  readonly after: string
}

const MAX_FOUND = 20
/** The number of characters of an excerpt before the searched word, and after it. */
const EXCERPT_LENGTH = 70

const wordPattern = (typed: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(typed)}[\\p{L}\\p{N}]*`, 'u')

const excerpt = (text: string, pattern: RegExp): Omit<FoundSection, 'section'> => {
  // Folding can change the length of a text. The excerpt can then begin a few letters too early or too late.
  const match = pattern.exec(fold(text))
  if (!match) return { before: '', word: '', after: text.slice(0, 2 * EXCERPT_LENGTH) }
  const end = match.index + match[0].length
  const start = Math.max(0, match.index - EXCERPT_LENGTH)
  return {
    before: (start > 0 ? '…' : '') + text.slice(start, match.index),
    word: text.slice(match.index, end),
    after: text.slice(end, end + EXCERPT_LENGTH),
  }
}

/** All words in the title come first, and after that, headings of the levels 1 and 2. */
const rankOf = (isInTitle: boolean, { level }: Section): number => (isInTitle ? 0 : 2) + (level > 2 ? 1 : 0)

/** Each typed word must begin a word of the title or text; case and accents do not matter. */
export const sectionSearch = (sections: readonly Section[]): ((typed: string) => FoundSection[]) => {
  const folded = sections.map((section) => ({
    section,
    title: fold(`${section.title} ${section.group}`),
    text: fold(section.text),
  }))
  return (typed) => {
    const patterns = fold(typed).match(/\S+/g)?.map(wordPattern) ?? []
    const [first] = patterns
    if (!first) return []
    const found = folded
      .filter(({ title, text }) => patterns.every((pattern) => pattern.test(title) || pattern.test(text)))
      .map(({ section }) => {
        const title = fold(section.title)
        const isInTitle = patterns.every((pattern) => pattern.test(title))
        return { section, rank: rankOf(isInTitle, section) }
      })
    // The sort is stable: sections of one rank are in the order of the page.
    return found
      .sort((a, b) => a.rank - b.rank)
      .slice(0, MAX_FOUND)
      .map(({ section }) => ({ section, ...excerpt(section.text, first) }))
  }
}
