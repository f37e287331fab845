import { concealKeys } from '../../shared/store/credentials.ts'
import { UsageError } from './command.ts'

/** `name` is the option or setting in an error message. All throw UsageError. */

/** For a text that is sent to AWS. */
export const withoutKey = (name: string, text: string): string => {
  if (concealKeys(text) === text) return text
  throw new UsageError(`${name} must not contain an API key`)
}

export const urlFrom = (name: string, text: string): string => {
  if (!(/^https?:\/\/[^\s?#@]+$/i.test(text) && URL.canParse(text)))
    throw new UsageError(`${name} must be an address that begins with http:// or https:// (got "${text}")`)
  return text
}

export const originFrom = (name: string, text: string): string => {
  if (/^(\*|[a-z][a-z\d+.-]*:\/\/[^\s/?#]+)$/.test(text)) return text
  throw new UsageError(`${name} must be an origin such as "http://localhost:5173", or "*" (got "${text}")`)
}

export const numberFrom = (name: string, text: string, min: number, max: number): number => {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (number >= min && number <= max) return number
  throw new UsageError(`${name} must be a number from ${min} to ${max} (got "${text}")`)
}
