/** The characters with which the next token can begin, and their description for an error. */
interface State {
  readonly allowed: string
  readonly expected: string
}

const QUOTE = '"'
/** The characters with which a number, true, false or null begins, and those with which any value begins. */
const SCALAR_STARTS = '-0123456789tfn'
const VALUE_STARTS = `${QUOTE}${SCALAR_STARTS}{[`
const EXPECTED_NAME = 'a field name in double quotes'

const value: State = { allowed: VALUE_STARTS, expected: 'a value' }
const firstItem: State = { allowed: `${VALUE_STARTS}]`, expected: 'a value or "]"' }
const name: State = { allowed: QUOTE, expected: EXPECTED_NAME }
const firstName: State = { allowed: `${QUOTE}}`, expected: `${EXPECTED_NAME} or "}"` }
const afterName: State = { allowed: ':', expected: '":"' }
const afterField: State = { allowed: ',}', expected: '"," or "}"' }
const afterItem: State = { allowed: ',]', expected: '"," or "]"' }
const afterDocument: State = { allowed: '', expected: 'the end of the body' }

const spaces = /[ \n\r\t]*/y
/** A string without its closing quote, so that the match ends at the first wrong character. */
const textStart = /"(?:[ !#-[\]-\uFFFF]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*/y
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/** The end of the match of a sticky pattern at `start`; `start` if the pattern does not match. */
const endOfMatch = (pattern: RegExp, json: string, start: number): number => {
  pattern.lastIndex = start
  return pattern.test(json) ? pattern.lastIndex : start
}

/** A position of a JSON text, and what would be valid there. */
interface SyntaxProblem {
  readonly index: number
  readonly expected: string
}

/** The end of the token that begins at `start`, or the problem of a string, number or literal. */
const endOfToken = (json: string, start: number, { expected }: State): number | SyntaxProblem => {
  const first = json[start]!
  if (first === QUOTE) {
    const end = endOfMatch(textStart, json, start)
    return json[end] === QUOTE ? end + 1 : { index: end, expected: 'an escaped character or a closing quote' }
  }
  if (!SCALAR_STARTS.includes(first)) return start + 1
  const end = endOfMatch(scalar, json, start)
  return end === start ? { index: start, expected } : end
}

/**
 * The state after a token that begins with `first`. `enclosing` has, for each object and list around it, the
 * state after one of its values. A token that opens an object or list adds its state, and a token that closes
 * one removes it.
 */
const stateAfter = (first: string, state: State, enclosing: State[]): State => {
  if (first === '{') {
    enclosing.push(afterField)
    return firstName
  }
  if (first === '[') {
    enclosing.push(afterItem)
    return firstItem
  }
  if (first === ':') return value
  if (first === ',') return state === afterField ? name : value
  if (first === QUOTE && (state === name || state === firstName)) return afterName
  if (first === '}' || first === ']') enclosing.pop()
  return enclosing.at(-1) ?? afterDocument
}

/** The search stops after this many tokens. No accepted body has as many. */
const MAX_TOKENS = 40_000

/**
 * Finds the first syntax error of a JSON text, since only some messages of JSON.parse contain its position.
 * Returns the index of the first wrong token or character of a string, or the length of a text that ends
 * early, and what is expected there, such as `"," or "}"`. Returns undefined for valid JSON.
 */
export const jsonSyntaxError = (json: string): SyntaxProblem | undefined => {
  const enclosing: State[] = []
  let state = value
  let index = 0
  for (let tokens = 0; tokens < MAX_TOKENS; tokens += 1) {
    index = endOfMatch(spaces, json, index)
    const first = json[index]
    if (first === undefined) return state === afterDocument ? undefined : { index, expected: state.expected }
    if (!state.allowed.includes(first)) return { index, expected: state.expected }
    const end = endOfToken(json, index, state)
    if (typeof end !== 'number') return end
    state = stateAfter(first, state, enclosing)
    index = end
  }
  return { index, expected: 'valid JSON from there on' }
}

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
  const foundCharacter =
    codePoint === undefined ? 'the end of the body' : visibleCharacter(String.fromCodePoint(codePoint))
  const position = `line ${lines.length}, column ${lines.at(-1)!.length + 1}`
  return `The body must be ${EXAMPLE}; at ${position} it needs ${expected}, not ${foundCharacter}.`
}
