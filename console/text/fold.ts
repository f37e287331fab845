/** Letters that have no decomposition into a letter and a mark. */
const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  ı: 'i',
}

/** Returns a text as it is searched: in lower case, without accents and other marks. */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøđłı]/g, (letter) => letters[letter]!)

/**
 * Returns a function that tests whether a folded text contains a word. Digits must begin a number: "9" is found in "Customer 9",
 * but not in "$49.00".
 */
const containsWord = (word: string): ((folded: string) => boolean) => {
  if (!/^\d+$/.test(word)) return (folded) => folded.includes(word)
  const begun = new RegExp(`(?<![\\d.,])${word}\\d*(?![.,]?\\d)`)
  return (folded) => begun.test(folded)
}

/** Returns a function that tests whether a folded text contains every word of `typed`. */
export const containing = (typed: string): ((folded: string) => boolean) => {
  const tests = fold(typed).split(/\s+/).filter(Boolean).map(containsWord)
  return (folded) => tests.every((contains) => contains(folded))
}
