import type { MiddlewareObj } from '@middy/core'
import httpJsonBodyParser from '@middy/http-json-body-parser'
import type { APIGatewayProxyEvent } from 'aws-lambda'
import type { Endpoint } from '../contract/endpoint.ts'
import { ApiError } from '../errors.ts'
import { headerValues } from './request.ts'
import { stateOf } from './state.ts'

/** The largest body that is read, in bytes (R1). */
export const MAX_BODY_BYTES = 256 * 1024

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const bytesOf = ({ body, isBase64Encoded }: APIGatewayProxyEvent): Buffer => {
  const bytes = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8')
  // Bytes that nobody sent must not turn an update into an erasure.
  if (body && bytes.length === 0) throw new ApiError('unreadable_body', 'The body must be JSON in UTF-8.')
  if (bytes.length <= MAX_BODY_BYTES) return bytes
  throw new ApiError(
    'body_too_large',
    `The body must be at most ${MAX_BODY_BYTES} bytes (got ${bytes.length}).`,
  )
}

const textOf = (bytes: Buffer): string => {
  try {
    return decoder.decode(bytes)
  } catch (cause) {
    throw new ApiError(
      'unreadable_body',
      'The body must be JSON in UTF-8; it holds bytes that are not UTF-8.',
      { cause },
    )
  }
}

const isJson = (type: string): boolean =>
  /^application\/(?:[a-z0-9.+-]+\+)?json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*|;\s*(?!charset)[\w-]+\s*=[^;]*)*;?$/i.test(
    type.trim(),
  )

const parser = httpJsonBodyParser({ disableContentTypeCheck: true })

/** Whether a text may hold the name of a prototype; an escape may spell anything. */
const mayNamePrototype = (text: string): boolean => /__proto__|constructor|\\/.test(text)

const plain = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ApiError('unreadable_body', 'The body must be valid JSON, an object such as {"id": "1"}.', {
      cause,
    })
  }
}

/** The value of a JSON text. What the parser refuses, names of prototypes or too deep for it, is told of later. */
const parse = async (text: string): Promise<unknown> => {
  // To look for such names it asks about each value, for ten times as long as it takes to parse.
  if (!mayNamePrototype(text)) return plain(text)
  const event = { body: text as unknown, isBase64Encoded: false }
  try {
    await parser.before?.({ event } as never)
    return event.body
  } catch {
    return plain(text)
  }
}

/** Reads and parses the body of an endpoint that takes one: 413, 415 or 400 when it can't be read (R1). */
export const readBody = ({ body, bodyMayBeAbsent }: Endpoint): MiddlewareObj<APIGatewayProxyEvent> => ({
  before: async (request) => {
    if (!body) return
    const bytes = bytesOf(request.event)
    if (bytes.length > 0 && !headerValues(request.event, 'content-type').every(isJson))
      throw new ApiError('unsupported_media_type', 'The content type must be application/json in UTF-8.')
    const text = textOf(bytes)
    stateOf(request).text = text
    if (text === '' && bodyMayBeAbsent) return
    Object.assign(request.event, { body: await parse(text) })
  },
})
