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
 * Returns a function that tests whether a folded text contains a word, or a word and the number after it. Digits must begin a
 * number: "customer 9" matches "Customer 9" and "customer-90", but not "Customer 8, $49.00".
 */
const containsPart = (part: string): ((folded: string) => boolean) => {
  // The lookbehind, and the limit of characters between word and number, prevent quadratic time for any text.
  const [digits] = /(?<!\d)\d+$/.exec(part) ?? []
  const word = digits ? part.slice(0, -digits.length) : part
  if (!digits || (word !== '' && !word.endsWith(' '))) return (folded) => folded.includes(part)
  const beforeNumber = word === '' ? '(?<![\\d.,])' : `${RegExp.escape(word.trimEnd())}[^\\p{L}\\p{N}]{1,20}`
  const wordAndNumber = new RegExp(`${beforeNumber}${digits}\\d*(?![.,]?\\d)`, 'u')
  return (folded) => wordAndNumber.test(folded)
}

/** Returns a function that tests whether a folded text contains every word of `typed`, and each number after its word. */
export const containing = (typed: string): ((folded: string) => boolean) => {
  const parts = fold(typed).match(/\S+(?:\s+\d+(?!\S))?/g) ?? []
  const tests = parts.map((part) => containsPart(part.replace(/\s+/g, ' ')))
  return (folded) => tests.every((contains) => contains(folded))
}
