import { fold } from '../text/fold.ts'
import type { Section } from './sections.ts'

/** A section that was found, and the words around the first that was searched. */
export interface Found {
  readonly section: Section
  readonly before: string
  readonly word: string
  readonly after: string
}

const MAX_FOUND = 20
const AROUND = 70

/** Returns the pattern of a word that begins with the folded `typed`. */
const beginning = (typed: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(typed)}[\\p{L}\\p{N}]*`, 'u')

/** Returns the words around the first match in a text; its beginning if there is none. */
const excerpt = (text: string, pattern: RegExp): Omit<Found, 'section'> => {
  // Folding may change the length of a text. The excerpt may then begin a few letters off, but shows no other words.
  const match = pattern.exec(fold(text))
  if (!match) return { before: '', word: '', after: text.slice(0, 2 * AROUND) }
  const end = match.index + match[0].length
  const start = Math.max(0, match.index - AROUND)
  return {
    before: (start > 0 ? '…' : '') + text.slice(start, match.index),
    word: text.slice(match.index, end),
    after: text.slice(end, end + AROUND),
  }
}

/** Returns the rank of a section that was found: 0 for the most important. A title counts more than a text, a guide more than an example in it. */
const rankOf = (isInTitle: boolean, { level }: Section): number => (isInTitle ? 0 : 2) + (level > 2 ? 1 : 0)

/**
 * Returns a search in sections. It finds those that have, in title or text, a word that begins with each word that was typed,
 * whatever its case and accents: those with all of them in the title first, and those of a lower level after the others.
 */
export const searchIn = (sections: readonly Section[]): ((typed: string) => Found[]) => {
  const folded = sections.map((section) => ({
    section,
    title: fold(`${section.title} ${section.group}`),
    text: fold(section.text),
  }))
  return (typed) => {
    const patterns = fold(typed).match(/\S+/g)?.map(beginning) ?? []
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
