/** Replacements of letters that have no decomposition into a letter and a mark. */
const replacements: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  ı: 'i',
}

/** Returns a text in the form in which it is searched: in lower case, without accents and other marks. */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøđłı]/g, (letter) => replacements[letter]!)

/**
 * Matches a letter or digit of a script that separates words. Scripts such as Chinese do not, so their words begin anywhere.
 */
const LETTER = /[\p{N}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u

const areOneWord = (left: string, right: string): boolean => LETTER.test(left) && LETTER.test(right)

/** A function that tests whether a folded text contains a word or, unless it must be whole, a word that begins with it. */
const containsWord =
  (word: string, isWhole: boolean) =>
  (folded: string): boolean => {
    for (let start = folded.indexOf(word); start >= 0; start = folded.indexOf(word, start + 1)) {
      const end = start + word.length
      const begins = !areOneWord(folded.charAt(start - 1), word.charAt(0))
      const ends = !isWhole || !areOneWord(word.charAt(word.length - 1), folded.charAt(end))
      if (begins && ends) return true
    }
    return false
  }

/**
 * A word, or a word and the number after it. Digits must begin a number: "customer 9" matches "Customer 9" and "customer-90",
 * but not "Customer 8, $49.00".
 */
const containsPart = (part: string, isLast: boolean): ((folded: string) => boolean) => {
  // The lookbehind, and the limit of characters between word and number, prevent quadratic time for any text.
  const [digits] = /(?<!\d)\d+$/.exec(part) ?? []
  const word = digits ? part.slice(0, -digits.length) : part
  if (!digits || (word !== '' && !word.endsWith(' '))) return containsWord(part, !isLast)
  const beforeNumber = word === '' ? '(?<![\\d.,])' : `${RegExp.escape(word.trimEnd())}[^\\p{L}\\p{N}]{1,20}`
  const wordAndNumber = new RegExp(`${beforeNumber}${digits}\\d*(?![.,]?\\d)`, 'u')
  return (folded) => wordAndNumber.test(folded)
}

/** Every word of `typed` as a whole, and each number after its word. The last one may still be typed. */
export const containing = (typed: string): ((folded: string) => boolean) => {
  const parts = fold(typed).match(/\S+(?:\s+\d+(?!\S))?/g) ?? []
  const tests = parts.map((part, index) =>
    containsPart(part.replace(/\s+/g, ' '), index === parts.length - 1),
  )
  return (folded) => tests.every((contains) => contains(folded))
}
