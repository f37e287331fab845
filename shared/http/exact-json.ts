import type { Violation } from '../contract/rules.ts'
import type { Schema } from '../contract/schema.ts'
import { isExactNumber, isShortNumber } from './exact-number.ts'
import { truncated } from './quoted.ts'
import { firstOfEachPath, formatPath, MAX_PATH_NAMES } from './violations.ts'

/** The scan stops at these limits, which no accepted body reaches. */
const MAX_LEVELS = 32
/** The limit of keys and pieces of long numbers, which take the longest to check. */
const MAX_PIECES = 20_000
/** The number of characters of a long number that take as long to check as a key. */
const PIECE_LENGTH = 20
const TOO_DEEP = `must be nested at most ${MAX_LEVELS} levels deep`
/** The problem of a key that its object already has. */
export const GIVEN_TWICE = 'must be given only once'
const TOO_MANY = `must be among the first ${MAX_PIECES} fields and long numbers of the body`

/** An object or list that encloses the current position. */
interface Level {
  readonly isObject: boolean
  /** The current key, or the index. */
  at: string | number
  /** All keys, once an object has two. Most objects of a hostile body have only one. */
  keys: Set<string> | undefined
}

/** Returns the end of the string that starts at `start`: after its first unescaped quote. */
const endOfText = (json: string, start: number): number => {
  for (let end = json.indexOf('"', start + 1); ; end = json.indexOf('"', end + 1)) {
    let escapes = 0
    while (json[end - 1 - escapes] === '\\') escapes += 1
    if (escapes % 2 === 0) return end + 1
  }
}

const isDigit = (character: string): boolean => character >= '0' && character <= '9'

const endOfNumber = (json: string, start: number): number => {
  let end = start + 1
  while (end < json.length && (isDigit(json[end]!) || '.eE+-'.includes(json[end]!))) end += 1
  return end
}

/** Returns whether a careless merge of a key would change a prototype. The parser refuses the same keys. */
const isForbidden = (key: string, levels: readonly Level[]): boolean =>
  key === '__proto__' || (key === 'prototype' && levels.at(-2)?.at === 'constructor')

/** Returns the schema of the current position: undefined if anything is allowed, null for an unknown field of a closed object. */
const schemaAt = (root: Schema, levels: readonly Level[]): Schema | null | undefined => {
  let schema: Schema | undefined = root
  for (const { isObject, at } of levels) {
    const { properties = {}, additionalProperties, items }: Schema = schema ?? {}
    schema = isObject ? (Object.hasOwn(properties, at) ? properties[at] : undefined) : items
    if (isObject && !schema && additionalProperties === false) return null
  }
  return schema
}

/** Scans a valid JSON text once, character by character, since a body may have 250,000 tokens. */
class JsonScanner {
  /** The objects and lists that enclose the current position. */
  readonly levels: Level[] = []
  readonly #json: string
  readonly #schema: Schema
  #at = 0
  #expectsKey = false
  #pieces = 0

  constructor(json: string, schema: Schema) {
    this.#json = json
    this.#schema = schema
  }

  /** Advances to the next error and returns its description; undefined at the end. */
  next(): string | undefined {
    while (this.#at < this.#json.length) {
      const character = this.#json[this.#at] as string
      let problem: string | undefined
      if (character === '"') problem = this.#text()
      else if (character === '-' || isDigit(character)) problem = this.#number()
      else problem = this.#punctuator(character)
      if (problem !== undefined) return problem
    }
    return undefined
  }

  #punctuator(character: string): string | undefined {
    this.#at += 1
    if (character === '{' || character === '[') {
      this.#expectsKey = character === '{'
      this.levels.push({ isObject: this.#expectsKey, at: 0, keys: undefined })
      if (this.levels.length > MAX_LEVELS) return this.#stop(TOO_DEEP)
    } else if (character === '}' || character === ']') {
      this.levels.pop()
      this.#expectsKey = false
    } else if (character === ',') {
      const level = this.levels.at(-1)!
      this.#expectsKey = level.isObject
      if (!level.isObject) (level.at as number) += 1
    }
    return undefined
  }

  #isTooMany(pieces: number): boolean {
    this.#pieces += pieces
    return this.#pieces > MAX_PIECES
  }

  #stop(problem: string): string {
    this.#at = this.#json.length
    return problem
  }

  #number(): string | undefined {
    const start = this.#at
    this.#at = endOfNumber(this.#json, start)
    if (isShortNumber(this.#json, start, this.#at)) return undefined
    const number = this.#json.slice(start, this.#at)
    if (this.#isTooMany(Math.ceil(number.length / PIECE_LENGTH))) return this.#stop(TOO_MANY)
    if (isExactNumber(number)) return undefined
    const schema = schemaAt(this.#schema, this.levels)
    // An unknown field is reported as unknown.
    if (schema === null) return undefined
    return schema?.expects
      ? `must be ${schema.expects} (got ${truncated(number)})`
      : `must be a number that a double holds exactly (got ${truncated(number)}); send it as a string`
  }

  #text(): string | undefined {
    const start = this.#at
    this.#at = endOfText(this.#json, start)
    if (!this.#expectsKey) return undefined
    this.#expectsKey = false
    const text = this.#json.slice(start, this.#at)
    return this.#key(text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1))
  }

  #key(key: string): string | undefined {
    const level = this.levels.at(-1)!
    // 0 until the first key.
    if (level.at !== 0) level.keys ??= new Set([level.at as string])
    level.at = key
    if (this.#isTooMany(1)) return this.#stop(TOO_MANY)
    if (isForbidden(key, this.levels)) return 'must not be used as a field name'
    if (level.keys?.has(key)) return GIVEN_TWICE
    level.keys?.add(key)
    return undefined
  }
}

const violationsIn = function* (json: string, schema: Schema): Generator<Violation> {
  const scanner = new JsonScanner(json, schema)
  for (let problem = scanner.next(); problem !== undefined; problem = scanner.next()) {
    // Reads only the names that the error shows: with all names, the cost would be errors times depth.
    const names = scanner.levels.slice(0, MAX_PATH_NAMES + 1).map(({ at }) => String(at))
    yield { path: formatPath(names) || 'body', problem }
  }
}

/**
 * Finds errors that parsing hides: duplicate keys, numbers that a double cannot represent, prototype names, and excessive
 * depth. `json` must be valid JSON. Returns one error per path, up to the limit of a response. `schema` is used to describe
 * the expected number.
 */
export const textViolations = (json: string, schema: Schema = {}): Violation[] =>
  firstOfEachPath(violationsIn(json, schema))
