import type { Fault } from '../contract/rules.ts'
import { pathOf } from './faults.ts'
import { shown } from './nearest.ts'

const token = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[{}[\]:,]/g

/** The digits and the exponent of a decimal number, without zeros that say nothing: equal texts are equal numbers. */
const canonical = (number: string): string => {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? []
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  return significant === ''
    ? '0'
    : `${sign}${significant}e${Number(exponent) - fraction.length + (digits.length - significant.length)}`
}

const isExact = (number: string): boolean => {
  const value = Number(number)
  return Number.isFinite(value) && canonical(number) === canonical(String(value))
}

interface Level {
  readonly keys: Set<string> | undefined
  /** Where we are in this level: the current key, or the index. */
  at: string
}

const pointer = (levels: readonly Level[]): string =>
  levels.map(({ at }) => `/${at.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/**
 * What JSON.parse would change without a word: an object that names a key twice (the first is dropped) and a number
 * with more digits than a double holds (it is rounded). `text` must be valid JSON.
 */
export const inexactFaults = (text: string): Fault[] => {
  const faults: Fault[] = []
  const levels: Level[] = []
  let expectsKey = false
  for (const [piece] of text.matchAll(token)) {
    const level = levels.at(-1)
    if (piece === '{' || piece === '[') {
      levels.push({ keys: piece === '{' ? new Set() : undefined, at: '0' })
      expectsKey = piece === '{'
    } else if (piece === '}' || piece === ']') levels.pop()
    else if (piece === ',') {
      expectsKey = level?.keys !== undefined
      if (level && !level.keys) level.at = String(Number(level.at) + 1)
    } else if (piece === ':') expectsKey = false
    else if (expectsKey && level?.keys) {
      level.at = JSON.parse(piece) as string
      if (level.keys.has(level.at))
        faults.push({ path: pathOf(pointer(levels)), problem: 'must be given only once' })
      level.keys.add(level.at)
    } else if (piece[0] !== '"' && !isExact(piece))
      faults.push({
        path: pathOf(pointer(levels)) || 'body',
        problem: `must be a number that a double holds exactly (got ${shown(piece)}); send it as a string`,
      })
  }
  return faults
}
