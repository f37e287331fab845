/** The kind of a token by its first character, as a bit. */
const kinds = new Uint16Array(128)
const kind = (bit: number, characters: string): number => {
  for (const character of characters) kinds[character.charCodeAt(0)] = 1 << bit
  return 1 << bit
}
const TEXT = kind(0, '"')
const SCALAR = kind(1, '-0123456789tfn')
const OPEN_OBJECT = kind(2, '{')
const OPEN_LIST = kind(3, '[')
const CLOSE_OBJECT = kind(4, '}')
const CLOSE_LIST = kind(5, ']')
const COMMA = kind(6, ',')
const COLON = kind(7, ':')
const VALUE = TEXT | SCALAR | OPEN_OBJECT | OPEN_LIST

/** A state of the parser: the kinds of tokens that may follow. */
const expecting = (takes: number, expected: string) => ({ takes, expected })
const NAME = 'a field name in double quotes'
const value = expecting(VALUE, 'a value')
const firstItem = expecting(VALUE | CLOSE_LIST, 'a value or "]"')
const name = expecting(TEXT, NAME)
const firstName = expecting(TEXT | CLOSE_OBJECT, `${NAME} or "}"`)
const afterName = expecting(COLON, '":"')
const afterField = expecting(COMMA | CLOSE_OBJECT, '"," or "}"')
const afterItem = expecting(COMMA | CLOSE_LIST, '"," or "]"')
const afterAll = expecting(0, 'the end of the body')

const spaces = /[ \n\r\t]*/y
// Without the closing quote, so that the match ends at the first wrong character.
const text = /"(?:[ !#-[\]-\uFFFF]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*/y
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/** Returns the end of the match of a sticky pattern; `at` if there is none. */
const endOf = (pattern: RegExp, json: string, at: number): number => {
  pattern.lastIndex = at
  return pattern.test(json) ? pattern.lastIndex : at
}

type Expectation = ReturnType<typeof expecting>

const expectationAfter = (found: number, here: Expectation, around: Expectation): Expectation => {
  if (found === OPEN_OBJECT) return firstName
  if (found === OPEN_LIST) return firstItem
  if (found === COLON) return value
  if (found === COMMA) return here === afterField ? name : value
  return found === TEXT && (here === name || here === firstName) ? afterName : around
}

/** More tokens than in any accepted body, at which the search stops. */
const MAX_TOKENS = 40_000

/**
 * Finds the first syntax error of a JSON text, since only some messages of JSON.parse name a position: the index of the first
 * wrong token or character of a string, or the length of a text that ends early, and what is expected there, such as
 * `"," or "}"`. Returns undefined for valid JSON.
 */
export const jsonSyntaxError = (json: string) => {
  const around = [afterAll]
  let here = value
  let at = 0
  for (let tokens = 0; tokens < MAX_TOKENS; tokens += 1) {
    at = endOf(spaces, json, at)
    const found = kinds[json.charCodeAt(at)] ?? 0
    if ((found & here.takes) === 0)
      return here === afterAll && at >= json.length ? undefined : { at, expected: here.expected }
    let end = at + 1
    if (found === OPEN_OBJECT) around.push(afterField)
    else if (found === OPEN_LIST) around.push(afterItem)
    else if (found === CLOSE_OBJECT || found === CLOSE_LIST) around.pop()
    else if (found === TEXT) {
      end = endOf(text, json, at) + 1
      if (json[end - 1] !== '"') return { at: end - 1, expected: 'an escaped character or a closing quote' }
    } else if (found === SCALAR) {
      end = endOf(scalar, json, at)
      if (end === at) return { at, expected: here.expected }
    }
    at = end
    here = expectationAfter(found, here, around.at(-1)!)
  }
  return { at, expected: 'valid JSON from there on' }
}
