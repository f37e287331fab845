/** Schema fragments of single fields. `expects` completes the sentence "<field> must be …" in an error's detail. */

/** The largest amount either side of zero: beyond it an integer loses digits in JSON (R5). */
const MAX_AMOUNT = 9_007_199_254_740_991

// Lone surrogates are not Unicode text and would be changed by storing them as UTF-8.
const text = '^[^\\uD800-\\uDFFF]*$'
const identifier = '^[^\\u0000-\\u001F\\u007F-\\u009F\\uD800-\\uDFFF]*$'

const named = <const N extends number>(maxLength: N) =>
  ({
    type: 'string',
    maxLength,
    pattern: text,
    expects: `a string of at most ${maxLength} characters`,
  }) as const

export const name = named(255)
export const title = named(255)
export const phone = named(255)
export const email = named(320)
export const description = named(2000)

/** A client's own id: string or safe integer; `42` and `"42"` are one id (I2). */
export const clientId = {
  type: ['string', 'integer'],
  minLength: 1,
  maxLength: 255,
  pattern: identifier,
  minimum: -MAX_AMOUNT,
  maximum: MAX_AMOUNT,
  expects: 'a string of 1 to 255 characters without control characters, or an integer within ±(2^53−1)',
} as const

/** An id of another entity, the server's or the client's (I3). */
export const reference = { ...clientId, expects: 'an id: the one we assigned or your own' } as const

/** A line item's id, kept verbatim (R9). */
export const lineItemId = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  pattern: identifier,
  expects: 'a string of 1 to 255 characters without control characters',
} as const

/** An active ISO 4217 code in any case; stored in upper case (R5). */
export const currency = {
  type: 'string',
  minLength: 3,
  maxLength: 3,
  format: 'currency',
  expects: 'an active ISO 4217 code, such as "EUR"',
} as const

/** An integer in the currency's minor unit (cents), passed through untouched (R5). */
export const minorUnits = {
  type: 'integer',
  minimum: -MAX_AMOUNT,
  maximum: MAX_AMOUNT,
  expects: 'an integer in minor units (cents) within ±(2^53−1)',
} as const

/** As `minorUnits`, but never below zero (R5). */
export const minorUnitsFromZero = {
  type: 'integer',
  minimum: 0,
  maximum: MAX_AMOUNT,
  expects: 'an integer in minor units (cents) from 0 to 2^53−1',
} as const

export const percent = {
  type: 'integer',
  minimum: 1,
  maximum: 100,
  expects: 'an integer from 1 to 100',
} as const

export const integer = {
  type: 'integer',
  minimum: -MAX_AMOUNT,
  maximum: MAX_AMOUNT,
  expects: 'an integer within ±(2^53−1)',
} as const

/** A multiplier or a number of months: at least 1 (R5). */
export const count = {
  type: 'integer',
  minimum: 1,
  maximum: MAX_AMOUNT,
  expects: 'an integer of at least 1',
} as const

/** A number of months, as an integer or a string of digits (R7). */
export const months = {
  type: ['integer', 'string'],
  minimum: 1,
  maximum: MAX_AMOUNT,
  minLength: 1,
  maxLength: 15,
  pattern: '^0*[1-9][0-9]*$',
  expects: 'an integer of at least 1, or a string of its digits',
} as const

/** A date in one of three forms (R6); responses carry seconds instead. */
export const date = {
  type: 'string',
  maxLength: 40,
  format: 'billing-date',
  expects: 'a date: RFC 3339 with offset, YYYY-MM-DD, or YYYY-MM-DD hh:mm:ss (UTC)',
} as const

/** A time in a response: seconds since the epoch, UTC (R6). */
export const seconds = { type: 'integer', expects: 'seconds since the epoch, UTC' } as const

export const flag = { type: 'boolean', expects: 'true or false' } as const

const oneOf = <const V extends readonly string[]>(...values: V) =>
  ({ type: 'string', enum: values, expects: `one of ${values.map((v) => `"${v}"`).join(', ')}` }) as const

export const interval = oneOf('day', 'week', 'month', 'year')
export const priceType = oneOf('recurring', 'one_time')
export const duration = oneOf('once', 'repeating', 'forever')

/** A map of the client's own keys to any JSON values, returned exactly as sent (R8). */
export const metadata = {
  type: 'object',
  maxProperties: 50,
  propertyNames: { type: 'string', maxLength: 100, pattern: text, expects: 'at most 100 characters long' },
  additionalProperties: true,
  expects: 'an object of at most 50 keys',
} as const

/** An id that we assigned: prefix, `_`, 22 letters and digits (I1). */
export const serverId = <const P extends string>(prefix: P) =>
  ({
    type: 'string',
    pattern: `^${prefix}_[0-9A-Za-z]{22}$`,
    maxLength: 30,
    expects: `an id such as ${prefix}_…`,
  }) as const

type Nullable<S> = {
  readonly [K in keyof S]: K extends 'type'
    ? S[K] extends readonly string[]
      ? readonly [...S[K], 'null']
      : readonly [S[K], 'null']
    : K extends 'enum'
      ? S[K] extends readonly unknown[]
        ? readonly [...S[K], null]
        : never
      : S[K]
}

/** The same field, which may also be null (R8). */
export const nullable = <const S extends { type: unknown; expects: string }>(schema: S): Nullable<S> =>
  ({
    ...schema,
    type: [schema.type, 'null'].flat(),
    ...('enum' in schema ? { enum: [...(schema.enum as unknown[]), null] } : {}),
    expects: `${schema.expects}, or null`,
  }) as unknown as Nullable<S>
