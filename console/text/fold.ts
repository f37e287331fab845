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

/** Returns a test of folded texts: whether one contains every word of `typed`. */
export const containing = (typed: string): ((folded: string) => boolean) => {
  const words = fold(typed).split(/\s+/).filter(Boolean)
  return (folded) => words.every((word) => folded.includes(word))
}
