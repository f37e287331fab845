import type { Fault } from '../contract/rules.ts'
import { MOST_DETAILS } from '../errors.ts'
import { cut } from './nearest.ts'
import { MOST_NAMES, pathOf } from './paths.ts'

const token = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|[{}[\]:,]/g

const zerosAtEnd = (digits: string): number => {
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return digits.length - end
}

/** The digits and the exponent of a decimal number, without zeros that say nothing: equal texts are equal numbers. */
const canonical = (number: string): string => {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? []
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const zeros = zerosAtEnd(digits)
  return digits === ''
    ? '0'
    : `${sign}${digits.slice(0, digits.length - zeros)}e${Number(exponent) - fraction.length + zeros}`
}

const isExact = (number: string): boolean => {
  // What nearly all numbers are: few enough digits for any double.
  if (/^-?\d{1,15}$/.test(number)) return true
  const value = Number(number)
  return Number.isFinite(value) && canonical(number) === canonical(String(value))
}

interface Level {
  readonly keys: Set<string> | undefined
  /** Where we are in this level: the current key, or the index. */
  at: string | number
}

/** A key or a number in a JSON text, and the objects and lists that it is in. */
interface Piece {
  readonly text: string
  readonly kind: 'key' | 'number'
  /** Of a key: whether its object has named it before. */
  readonly repeated: boolean
  readonly levels: readonly Level[]
}

function* pieces(json: string): Generator<Piece> {
  const levels: Level[] = []
  let expectsKey = false
  for (const [text] of json.matchAll(token)) {
    const level = levels.at(-1)
    if (text === '{' || text === '[') {
      levels.push({ keys: text === '{' ? new Set() : undefined, at: 0 })
      expectsKey = text === '{'
    } else if (text === '}' || text === ']') levels.pop()
    else if (text === ',') {
      expectsKey = level?.keys !== undefined
      if (typeof level?.at === 'number') level.at += 1
    } else if (text === ':') expectsKey = false
    else if (expectsKey && level?.keys) {
      const key = text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1)
      level.at = key
      yield { text: key, kind: 'key', repeated: level.keys.has(key), levels }
      level.keys.add(key)
    } else if (text[0] !== '"') yield { text, kind: 'number', repeated: false, levels }
  }
}

/** Whether a key is one by which a careless merge would change a prototype; the parser refuses the same ones. */
const isForbidden = ({ text, levels }: Piece): boolean =>
  text === '__proto__' || (text === 'prototype' && levels.at(-2)?.at === 'constructor')

const problemOf = (piece: Piece): string | undefined => {
  if (piece.kind === 'number')
    return isExact(piece.text)
      ? undefined
      : `must be a number that a double holds exactly (got ${cut(piece.text)}); send it as a string`
  if (isForbidden(piece)) return 'must not be the name of a field'
  return piece.repeated ? 'must be given only once' : undefined
}

/**
 * What a JSON text says and its parsed value does not: a key given twice (the first is dropped), a number with more
 * digits than a double holds (it is rounded), a key that names a prototype. `json` must be valid; one fault for each
 * place, at most as many as an answer holds.
 */
export const textFaults = (json: string): Fault[] => {
  const faults = new Map<string, Fault>()
  for (const piece of pieces(json)) {
    const problem = problemOf(piece)
    if (problem === undefined) continue
    // No more names than are shown, for there may be as many faults as levels that each of them lies in.
    const names = piece.levels.slice(0, MOST_NAMES + 1).map(({ at }) => String(at))
    const path = pathOf(names) || 'body'
    if (!faults.has(path)) faults.set(path, { path, problem })
    if (faults.size === MOST_DETAILS) break
  }
  return [...faults.values()]
}
