import fc from 'fast-check'

/** Any character of Unicode, like fast-check's unit "binary", which takes a second to build in each file. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff })
  .map((code) => String.fromCodePoint(code).toWellFormed())
