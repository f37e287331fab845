import type { Violation } from '../../contract/rules.ts'
import type { Schema } from '../../contract/schema.ts'
import { truncated } from './quoted.ts'
import { firstOfEachPath, formatPath, MAX_PATH_NAMES } from './violations.ts'

/** An absolute value: its digits, without zeros at either end, and a power of ten. Zero has no digits. */
interface Decimal {
  readonly digits: string
  readonly exponent: number
}

const zerosAtEnd = (digits: string): number => {
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return digits.length - end
}

/** The absolute value of a JSON number. */
const decimalOf = (number: string): Decimal => {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? []
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  if (digits === '') return { digits, exponent: 0 }
  const zeros = zerosAtEnd(digits)
  return {
    digits: digits.slice(0, digits.length - zeros),
    exponent: Number(exponent) - fraction.length + zeros,
  }
}

/** The maximum length of the shortest notation of a double, in characters and in digits. */
const MAX_SHORTEST_LENGTH = 24
const MAX_SHORTEST_DIGITS = 17
/** The most significant digits, decimal places, and zeros at the end of a double written out in full. */
const MAX_DIGITS = 767
const MAX_DECIMAL_PLACES = 1_074
const MAX_END_ZEROS = 22
/** The least significant digits for each decimal place of a double written out in full: log10(5). */
const MIN_DIGITS_PER_PLACE = 0.69

const powersOfFive: bigint[] = []
const powerOfFive = (exponent: number): bigint => {
  powersOfFive[exponent] ??= 5n ** BigInt(exponent)
  return powersOfFive[exponent]
}

/** The product of a double and a power of two. The power alone may exceed the largest double. */
const timesPowerOfTwo = (double: number, exponent: number): number => {
  const half = Math.floor(exponent / 2)
  return double * 2 ** half * 2 ** (exponent - half)
}

/** Whether the double nearest to a decimal equals it exactly. Checks cheap limits before exact arithmetic. */
const isEqual = ({ digits, exponent }: Decimal, double: number): boolean => {
  if (exponent >= 0)
    return exponent <= MAX_END_ZEROS && BigInt(digits + '0'.repeat(exponent)) === BigInt(double)
  const places = -exponent
  if (places > MAX_DECIMAL_PLACES || digits.length > MAX_DIGITS) return false
  if (digits.length < MIN_DIGITS_PER_PLACE * places) return false
  // A double with as many decimal places is an integer divided by 2 ** places, so its digits are the integer
  // times 5 ** places.
  const integer = timesPowerOfTwo(double, places)
  return Number.isSafeInteger(integer) && BigInt(digits) === BigInt(integer) * powerOfFive(places)
}

/** Whether a decimal is the shortest notation of the double nearest to it. */
const isShortest = ({ digits, exponent }: Decimal, double: number): boolean => {
  if (digits.length > MAX_SHORTEST_DIGITS) return false
  const shortest = decimalOf(String(double))
  return digits === shortest.digits && exponent === shortest.exponent
}

/** A double may be exact, such as 2 ** 70 with all digits, or the number its shortest notation, such as 0.1. */
export const isExactNumber = (number: string): boolean => {
  const double = Number(number)
  if (number.length <= MAX_SHORTEST_LENGTH && String(double) === number) return true
  if (!Number.isFinite(double)) return false
  const decimal = decimalOf(number)
  return isShortest(decimal, double) || isEqual(decimal, Math.abs(double))
}

/** A double represents every number with no more digits and exponent digits than these. */
const SAFE_DIGITS = 15
const SAFE_EXPONENT_DIGITS = 2

/** Whether a double represents the number because it is so short, as nearly all numbers are. */
export const isShortNumber = (json: string, start: number, end: number): boolean => {
  if (end - start > SAFE_DIGITS + 1 + SAFE_EXPONENT_DIGITS) return false
  let exponentStart = start
  while (exponentStart < end && json[exponentStart] !== 'e' && json[exponentStart] !== 'E') exponentStart += 1
  return exponentStart - start <= SAFE_DIGITS && end - exponentStart <= 1 + SAFE_EXPONENT_DIGITS
}

/** The scan stops at these limits, which no accepted body reaches. */
const MAX_LEVELS = 32
/** The limit of the work: a key is one piece, and so are `PIECE_LENGTH` characters of a long number. */
const MAX_PIECES = 20_000
/** The number of characters of a long number that take as long to check as a key. */
const PIECE_LENGTH = 20
const TOO_DEEP = `must be nested at most ${MAX_LEVELS} levels deep`
/** The problem of a key that its object already has. */
export const GIVEN_TWICE = 'must be given only once'
const TOO_MANY = `must be among the first ${MAX_PIECES} fields and long numbers of the body`

/** An object that encloses the current position. */
interface ObjectLevel {
  readonly isObject: true
  /** The current key; undefined before the first one. */
  key: string | undefined
  /** All keys, once the object has two. Most objects of a hostile body have only one. */
  keys: Set<string> | undefined
}

/** A list that encloses the current position. */
interface ListLevel {
  readonly isObject: false
  index: number
}

type Level = ObjectLevel | ListLevel

/** The index after the string that starts at `start`: after its first unescaped quote. */
const endOfText = (json: string, start: number): number => {
  let end = start
  let isEscaped = true
  while (isEscaped) {
    end = json.indexOf('"', end + 1)
    let backslashes = 0
    while (json[end - 1 - backslashes] === '\\') backslashes += 1
    isEscaped = backslashes % 2 === 1
  }
  return end + 1
}

const isDigit = (character: string): boolean => character >= '0' && character <= '9'

/** The index after the number that starts at `start`. */
const endOfNumber = (json: string, start: number): number => {
  let end = start + 1
  while (end < json.length && (isDigit(json[end]!) || '.eE+-'.includes(json[end]!))) end += 1
  return end
}

/** Whether a careless merge of a key would change a prototype. The parser refuses the same keys. */
const isForbidden = (key: string, levels: readonly Level[]): boolean => {
  const parent = levels.at(-2)
  const isInConstructor = parent?.isObject === true && parent.key === 'constructor'
  return key === '__proto__' || (key === 'prototype' && isInConstructor)
}

/** It is undefined if anything is allowed, and null for an unknown field of a closed object. */
const schemaAt = (root: Schema, levels: readonly Level[]): Schema | null | undefined => {
  let schema: Schema | undefined = root
  for (const level of levels) {
    const { properties = {}, additionalProperties, items }: Schema = schema ?? {}
    if (level.isObject) {
      const { key = '' } = level
      schema = Object.hasOwn(properties, key) ? properties[key] : undefined
      if (!schema && additionalProperties === false) return null
    } else schema = items
  }
  return schema
}

/** Scans a valid JSON text once, character by character, since a body may have 250,000 tokens. */
class JsonScanner {
  /** The objects and lists that enclose the current position, outermost first. */
  readonly levels: Level[] = []
  readonly #json: string
  readonly #schema: Schema
  #position = 0
  #expectsKey = false
  #pieces = 0

  constructor(json: string, schema: Schema) {
    this.#json = json
    this.#schema = schema
  }

  /** Advances to the next error and returns its description; undefined at the end. */
  next(): string | undefined {
    while (this.#position < this.#json.length) {
      const character = this.#json[this.#position]!
      let problem: string | undefined
      if (character === '"') problem = this.#readText()
      else if (character === '-' || isDigit(character)) problem = this.#readNumber()
      else problem = this.#readPunctuator(character)
      if (problem !== undefined) return problem
    }
    return undefined
  }

  #readPunctuator(character: string): string | undefined {
    this.#position += 1
    if (character === '{') {
      this.#expectsKey = true
      return this.#enter({ isObject: true, key: undefined, keys: undefined })
    }
    if (character === '[') {
      this.#expectsKey = false
      return this.#enter({ isObject: false, index: 0 })
    }
    if (character === '}' || character === ']') {
      this.levels.pop()
      this.#expectsKey = false
    } else if (character === ',') {
      const level = this.levels.at(-1)!
      this.#expectsKey = level.isObject
      if (!level.isObject) level.index += 1
    }
    return undefined
  }

  #enter(level: Level): string | undefined {
    this.levels.push(level)
    return this.levels.length > MAX_LEVELS ? this.#stop(TOO_DEEP) : undefined
  }

  #readNumber(): string | undefined {
    const start = this.#position
    this.#position = endOfNumber(this.#json, start)
    if (isShortNumber(this.#json, start, this.#position)) return undefined
    const number = this.#json.slice(start, this.#position)
    this.#pieces += Math.ceil(number.length / PIECE_LENGTH)
    if (this.#pieces > MAX_PIECES) return this.#stop(TOO_MANY)
    if (isExactNumber(number)) return undefined
    const schema = schemaAt(this.#schema, this.levels)
    // An unknown field is reported as unknown.
    if (schema === null) return undefined
    return schema?.expects
      ? `must be ${schema.expects} (got ${truncated(number)})`
      : `must be a number that a double holds exactly (got ${truncated(number)}); send it as a string`
  }

  #readText(): string | undefined {
    const start = this.#position
    this.#position = endOfText(this.#json, start)
    if (!this.#expectsKey) return undefined
    this.#expectsKey = false
    const text = this.#json.slice(start, this.#position)
    const hasEscapes = text.includes('\\')
    return this.#problemOfKey(hasEscapes ? (JSON.parse(text) as string) : text.slice(1, -1))
  }

  #problemOfKey(key: string): string | undefined {
    const level = this.levels.at(-1) as ObjectLevel
    if (level.key !== undefined) level.keys ??= new Set([level.key])
    level.key = key
    this.#pieces += 1
    if (this.#pieces > MAX_PIECES) return this.#stop(TOO_MANY)
    if (isForbidden(key, this.levels)) return 'must not be used as a field name'
    if (level.keys?.has(key)) return GIVEN_TWICE
    level.keys?.add(key)
    return undefined
  }

  #stop(problem: string): string {
    this.#position = this.#json.length
    return problem
  }
}

const nameOf = (level: Level): string => (level.isObject ? (level.key ?? '') : String(level.index))

const violationsIn = function* (json: string, schema: Schema): Generator<Violation> {
  const scanner = new JsonScanner(json, schema)
  for (let problem = scanner.next(); problem !== undefined; problem = scanner.next()) {
    // Reads only the names that the error shows. With all names, the work would be the number of errors times
    // the depth.
    const names = scanner.levels.slice(0, MAX_PATH_NAMES + 1).map(nameOf)
    yield { path: formatPath(names) || 'body', problem }
  }
}

/**
 * Finds errors that parsing hides: duplicate keys, numbers that a double cannot represent, field names that
 * would change a prototype, and excessive depth. `json` must be valid JSON. `schema` describes the expected
 * numbers. Returns the first error of each path, up to the limit of a response.
 */
export const textViolations = (json: string, schema: Schema = {}): Violation[] =>
  firstOfEachPath(violationsIn(json, schema))
