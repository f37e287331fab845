import { concealKeys } from '../../shared/store/credentials.ts'

/**
 * Safe to print: without API keys, and without characters that control the terminal, end the line or change
 * the direction of text.
 */
export const printable = (text: string): string =>
  concealKeys(text.replaceAll(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, '\uFFFD'))

/** Escapes the characters that control a terminal or the direction of text. */
export const printableJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll(
    /[\x7f-\x9f\p{Bidi_Control}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
