import { ApiError } from '../../errors.ts'
import { jsonSyntaxError } from './json-syntax-error.ts'

/** A valid body, for the details of errors. */
const EXAMPLE = 'a JSON object such as {"id": "1"}'

/** A character in quotes, or its code point if it is invisible. */
const visibleCharacter = (character: string): string => {
  const isInvisible = /[\p{C}\p{Z}]/u.test(character)
  if (!isInvisible) return JSON.stringify(character)
  const codePoint = character.codePointAt(0)!.toString(16).toUpperCase()
  return `U+${codePoint.padStart(4, '0')}`
}

/** The position of the first error, and at most one character of the text. */
export const jsonSyntaxDetail = (text: string): string => {
  if (text === '') return `The body is empty; it must be ${EXAMPLE}.`
  const { index, expected } = jsonSyntaxError(text)!
  const lines = text.slice(0, index).split(/\r\n|[\r\n]/)
  const codePoint = text.codePointAt(index)
  const found =
    codePoint === undefined ? 'the end of the body' : visibleCharacter(String.fromCodePoint(codePoint))
  const position = `line ${lines.length}, column ${lines.at(-1)!.length + 1}`
  return `The body must be ${EXAMPLE}; at ${position} it needs ${expected}, not ${found}.`
}

/** The value of a JSON text. Throws ApiError 400 with the position of the first error. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ApiError('unreadable_body', jsonSyntaxDetail(text), { cause })
  }
}
