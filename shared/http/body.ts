import type { MiddlewareObj } from '@middy/core'
import httpJsonBodyParser from '@middy/http-json-body-parser'
import type { APIGatewayProxyEvent } from 'aws-lambda'
import type { Endpoint } from '../contract/endpoint.ts'
import type { Schema } from '../contract/schema.ts'
import { ApiError } from '../errors.ts'
import { textViolations } from './exact-json.ts'
import { jsonSyntaxError } from './json-syntax-error.ts'
import { quoted } from './quoted.ts'
import { headerValues } from './request.ts'
import { type Body, requestState } from './state.ts'
import { violationDetail } from './violations.ts'

/** The body size limit in bytes. */
export const MAX_BODY_BYTES = 256 * 1024

/** Returns the 413 error for a body. A gateway that refuses it first does not know its size. */
export const bodyTooLargeError = (bytes?: number): ApiError => {
  const got = bytes === undefined ? '' : ` (got ${bytes})`
  return new ApiError('body_too_large', `The body must be at most ${MAX_BODY_BYTES} bytes${got}.`)
}

const requireSize = (bytes: number): void => {
  if (bytes > MAX_BODY_BYTES) throw bodyTooLargeError(bytes)
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const bytesOf = ({ body, isBase64Encoded }: APIGatewayProxyEvent): Buffer => {
  const bytes = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8')
  // An undecodable body must not become an empty one: an update without a body is an erasure.
  if (body && bytes.length === 0) throw new ApiError('unreadable_body', 'The body must be JSON in UTF-8.')
  requireSize(bytes.length)
  return bytes
}

/** Returns the position, from 1, of the first byte that is not UTF-8, in bytes that are not valid UTF-8. */
export const invalidBytePosition = (bytes: Buffer): number => {
  const decoded = Buffer.from(bytes.toString())
  return bytes.findIndex((byte, index) => byte !== decoded[index]) + 1 || bytes.length
}

const textOf = (bytes: Buffer): string => {
  try {
    return decoder.decode(bytes)
  } catch (cause) {
    const problem = `The body must be JSON in UTF-8; its byte ${invalidBytePosition(bytes)} is not.`
    throw new ApiError('unreadable_body', problem, { cause })
  }
}

/** Returns whether a content type is JSON in UTF-8. */
export const isJsonContentType = (type: string): boolean =>
  /^application\/(?:[a-z0-9.+-]+\+)?json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*|;\s*(?!charset)[\w-]+\s*=[^;]*)*;?$/i.test(
    type.trim(),
  )

/** Returns the 415 error for a content type. */
export const wrongContentTypeError = (type: string): ApiError =>
  new ApiError(
    'unsupported_media_type',
    `The content type must be application/json in UTF-8 (got ${quoted(type)}).`,
  )

/** Returns the 415 error for a content encoding. */
const compressed = (coding: string): ApiError =>
  new ApiError(
    'unsupported_media_type',
    `The body must not be compressed: content-encoding must be absent (got ${quoted(coding)}).`,
  )

/**
 * Throws ApiError 415 if the headers describe a body that is compressed or not JSON. The deployed gateway decompresses a
 * body and passes its header on, so the function cannot know whether the body is still compressed.
 */
const requireJson = (event: APIGatewayProxyEvent): void => {
  for (const coding of headerValues(event, 'content-encoding'))
    if (!/^(identity)?$/i.test(coding.trim())) throw compressed(coding)
  for (const type of headerValues(event, 'content-type'))
    if (!isJsonContentType(type)) throw wrongContentTypeError(type)
}

const EXAMPLE = 'a JSON object such as {"id": "1"}'

/** Quotes a character, or gives its code point if it is invisible. */
const visible = (character: string): string => {
  const isInvisible = /[\p{C}\p{Z}]/u.test(character)
  if (!isInvisible) return JSON.stringify(character)
  const codePoint = character.codePointAt(0)!.toString(16).toUpperCase()
  return `U+${codePoint.padStart(4, '0')}`
}

/** Describes why a text is not JSON: the position of the first error, and at most one character of the text. */
export const jsonSyntaxDetail = (text: string): string => {
  if (text === '') return `The body is empty; it must be ${EXAMPLE}.`
  const { at, expected } = jsonSyntaxError(text)!
  const lines = text.slice(0, at).split(/\r\n|[\r\n]/)
  const code = text.codePointAt(at)
  const found = code === undefined ? 'the end of the body' : visible(String.fromCodePoint(code))
  const position = `line ${lines.length}, column ${lines.at(-1)!.length + 1}`
  return `The body must be ${EXAMPLE}; at ${position} it needs ${expected}, not ${found}.`
}

/** Returns the value of a JSON text. Throws ApiError 400 that names the position of the first error. */
const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ApiError('unreadable_body', jsonSyntaxDetail(text), { cause })
  }
}

/** Returns the body of a request that was not sent, such as a row of an import. Throws ApiError for 413 or 400. */
export const parseBody = (text: string): Body => {
  requireSize(Buffer.byteLength(text))
  return { text, value: parse(text) }
}

const parser = httpJsonBodyParser<APIGatewayProxyEvent>({ disableContentTypeCheck: true })

/**
 * Throws the API's error for a text that the parser refuses. The parser refuses three things: a text that is not JSON, the name
 * of a prototype, and more levels than its stack can hold. The parser's own error does not name the place, and quotes the body.
 */
const throwApiError = (text: string, schema: Schema): never => {
  parse(text)
  throw new ApiError('invalid', textViolations(text, schema).map(violationDetail))
}

/**
 * The middleware that reads and parses the body: first its size, its content type and its encoding, then JSON. Throws
 * ApiError for 413, 415 or 400, or for 422 if the parser refuses a name or the depth. An endpoint without a body ignores it.
 */
export const jsonBody = ({
  body: schema,
  bodyMayBeAbsent,
}: Endpoint): MiddlewareObj<APIGatewayProxyEvent> => ({
  before: async (request) => {
    if (!schema) return
    const { event } = request
    const bytes = bytesOf(event)
    if (bytes.length > 0) requireJson(event)
    const text = textOf(bytes)
    if (text === '' && bodyMayBeAbsent) return
    event.body = text
    event.isBase64Encoded = false
    try {
      await parser.before!(request)
    } catch {
      throwApiError(text, schema)
    }
    requestState(request).body = { text, value: event.body }
  },
})
