import type { MiddlewareObj } from '@middy/core'
import httpJsonBodyParser from '@middy/http-json-body-parser'
import type { APIGatewayProxyEvent } from 'aws-lambda'
import type { Endpoint } from '../contract/endpoint.ts'
import { ApiError } from '../errors.ts'
import { jsonSyntaxError } from './json-syntax-error.ts'
import { quoted } from './quoted.ts'
import { headerValues } from './request.ts'
import { stateOf } from './state.ts'

/** The body size limit in bytes. */
export const MAX_BODY_BYTES = 256 * 1024

/** Returns the 413 error for a body. Its bytes are unknown to a gateway that refuses it first. */
export const bodyTooLarge = (bytes?: number): ApiError => {
  const got = bytes === undefined ? '' : ` (got ${bytes})`
  return new ApiError('body_too_large', `The body must be at most ${MAX_BODY_BYTES} bytes${got}.`)
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const bytesOf = ({ body, isBase64Encoded }: APIGatewayProxyEvent): Buffer => {
  const bytes = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8')
  // An undecodable body must not become an empty one: an update without a body is an erasure.
  if (body && bytes.length === 0) throw new ApiError('unreadable_body', 'The body must be JSON in UTF-8.')
  if (bytes.length <= MAX_BODY_BYTES) return bytes
  throw bodyTooLarge(bytes.length)
}

/** Returns the 1-based position of the first byte that is not UTF-8, in bytes that are not. */
export const wrongByteIn = (bytes: Buffer): number => {
  const decoded = Buffer.from(bytes.toString())
  return bytes.findIndex((byte, index) => byte !== decoded[index]) + 1 || bytes.length
}

const textOf = (bytes: Buffer): string => {
  try {
    return decoder.decode(bytes)
  } catch (cause) {
    const problem = `The body must be JSON in UTF-8; its byte ${wrongByteIn(bytes)} is not.`
    throw new ApiError('unreadable_body', problem, { cause })
  }
}

/** Returns whether a content type is JSON in UTF-8. */
export const isJson = (type: string): boolean =>
  /^application\/(?:[a-z0-9.+-]+\+)?json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*|;\s*(?!charset)[\w-]+\s*=[^;]*)*;?$/i.test(
    type.trim(),
  )

/**
 * Throws ApiError 415 if the headers describe a body that is compressed or not JSON. The deployed gateway decompresses a
 * body and passes its header on, so the function cannot know whether the body is still compressed.
 */
const requireJson = (event: APIGatewayProxyEvent): void => {
  const refuse = (problem: string, got: string): never => {
    throw new ApiError('unsupported_media_type', `${problem} (got ${quoted(got)}).`)
  }
  const coding = headerValues(event, 'content-encoding').find((each) => !/^(identity)?$/i.test(each.trim()))
  if (coding !== undefined) refuse('The body must not be compressed: content-encoding must be absent', coding)
  const type = headerValues(event, 'content-type').find((each) => !isJson(each))
  if (type !== undefined) refuse('The content type must be application/json in UTF-8', type)
}

const parser = httpJsonBodyParser({ disableContentTypeCheck: true })

/** Returns whether a text may contain the name of a prototype. Escapes can spell any name. */
const mayNamePrototype = (text: string): boolean => /__proto__|constructor|\\/.test(text)

const EXAMPLE = 'a JSON object such as {"id": "1"}'

/** Quotes a character, or gives its code point if it is invisible. */
const visible = (character: string): string =>
  /[\p{C}\p{Z}]/u.test(character)
    ? `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
    : JSON.stringify(character)

/** Describes why a text is not JSON: the position of the first error, and at most one character of the text. */
const notJson = (text: string): string => {
  if (text === '') return `The body is empty; it must be ${EXAMPLE}.`
  const { at, expected } = jsonSyntaxError(text)!
  const lines = text.slice(0, at).split(/\r\n|[\r\n]/)
  const code = text.codePointAt(at)
  const found = code === undefined ? 'the end of the body' : visible(String.fromCodePoint(code))
  const position = `line ${lines.length}, column ${lines.at(-1)!.length + 1}`
  return `The body must be ${EXAMPLE}; at ${position} it needs ${expected}, not ${found}.`
}

const plain = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ApiError('unreadable_body', notJson(text), { cause })
  }
}

/**
 * Parses JSON. The middleware refuses prototype names. It is called by hand, and only where there may be one: in the
 * pipeline, its refusal would hide all other errors of the body, since it names no path and ends the request, and its
 * callback for each value would cost half a millisecond for an invoice of 250 lines.
 */
const parse = async (text: string): Promise<unknown> => {
  if (!mayNamePrototype(text)) return plain(text)
  const event = { body: text as unknown, isBase64Encoded: false }
  try {
    await parser.before?.({ event } as never)
    return event.body
  } catch {
    return plain(text)
  }
}

/** Reads and parses the request body. Throws ApiError for 413, 415 or 400. */
export const readBody = ({ body, bodyMayBeAbsent }: Endpoint): MiddlewareObj<APIGatewayProxyEvent> => ({
  before: async (request) => {
    if (!body) return
    const bytes = bytesOf(request.event)
    if (bytes.length > 0) requireJson(request.event)
    const text = textOf(bytes)
    stateOf(request).text = text
    if (text === '' && bodyMayBeAbsent) return
    Object.assign(request.event, { body: await parse(text) })
  },
})
