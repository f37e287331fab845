import middy from '@middy/core'
import httpJsonBodyParser from '@middy/http-json-body-parser'
import type { APIGatewayProxyEvent, Context } from 'aws-lambda'
import type { ObjectSchema } from '../contract/schema.ts'
import { ApiError } from '../errors.ts'
import { headerValues } from './request.ts'
import { textViolations } from './validation/exact-json.ts'
import { jsonSyntaxDetail } from './validation/json-syntax-error.ts'
import { quoted } from './validation/quoted.ts'
import { violationDetail } from './validation/violations.ts'

/** The body size limit in bytes. */
export const MAX_BODY_BYTES = 256 * 1024

/** The 413 error for a body of `bytes` bytes; undefined if the gateway refused it before it was read. */
export const bodyTooLargeError = (bytes?: number): ApiError => {
  const got = bytes === undefined ? '' : ` (got ${bytes})`
  return new ApiError('body_too_large', `The body must be at most ${MAX_BODY_BYTES} bytes${got}.`)
}

const requireSize = (bytes: number): void => {
  if (bytes > MAX_BODY_BYTES) throw bodyTooLargeError(bytes)
}

/** Throws ApiError 413 or 400. */
const bodyBytes = ({ body, isBase64Encoded }: APIGatewayProxyEvent): Buffer => {
  const bytes = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8')
  // An undecodable body must not become an empty one: an update without a body is an erasure.
  if (body && bytes.length === 0) throw new ApiError('unreadable_body', 'The body must be JSON in UTF-8.')
  requireSize(bytes.length)
  return bytes
}

/** Whether a content type is JSON in UTF-8. */
export const isJsonContentType = (type: string): boolean =>
  /^application\/(?:[a-z0-9.+-]+\+)?json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*|;\s*(?!charset)[\w-]+\s*=[^;]*)*;?$/i.test(
    type.trim(),
  )

export const wrongContentTypeError = (type: string): ApiError =>
  new ApiError(
    'unsupported_media_type',
    `The content type must be application/json in UTF-8 (got ${quoted(type)}).`,
  )

const compressedBodyError = (encoding: string): ApiError =>
  new ApiError(
    'unsupported_media_type',
    `The body must not be compressed: content-encoding must be absent (got ${quoted(encoding)}).`,
  )

/**
 * Throws ApiError 415 for a compressed body. The deployed gateway decompresses a body and passes its header
 * on, so the function cannot know whether the body is still compressed. An absent body may be a decompressed
 * empty one, which is no erasure.
 */
const requireUncompressed = (event: APIGatewayProxyEvent): void => {
  for (const encoding of headerValues(event, 'content-encoding'))
    if (!/^(identity)?$/i.test(encoding.trim())) throw compressedBodyError(encoding)
}

/** Throws ApiError 415 for a body that is not JSON. */
const requireJson = (event: APIGatewayProxyEvent): void => {
  for (const type of headerValues(event, 'content-type'))
    if (!isJsonContentType(type)) throw wrongContentTypeError(type)
}

/** The position, from 1, of the first byte that is not UTF-8, in bytes that are not valid UTF-8. */
export const invalidBytePosition = (bytes: Buffer): number => {
  const replaced = Buffer.from(bytes.toString())
  const index = bytes.findIndex((byte, position) => byte !== replaced[position])
  // Without a difference, the bytes end with an incomplete U+FFFD, the character that replaces invalid bytes.
  return index === -1 ? bytes.length : index + 1
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Throws ApiError 400 if they are not UTF-8. */
const decodedText = (bytes: Buffer): string => {
  try {
    return decoder.decode(bytes)
  } catch (cause) {
    const problem = `The body must be JSON in UTF-8; its byte ${invalidBytePosition(bytes)} is not.`
    throw new ApiError('unreadable_body', problem, { cause })
  }
}

/** The body of a request: its text as sent, and the parsed value. */
export interface Body {
  readonly text: string
  readonly value: unknown
}

/** The value of a JSON text. Throws ApiError 400 with the position of the first error. */
const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ApiError('unreadable_body', jsonSyntaxDetail(text), { cause })
  }
}

/** The body of a request that was not sent, such as a row of an import. Throws ApiError 413 or 400. */
export const parseBody = (text: string): Body => {
  requireSize(Buffer.byteLength(text))
  return { text, value: parseJson(text) }
}

const noContext = {} as Context

/**
 * Parses a text. Refuses a field name that would change a prototype, and more levels than the stack can hold.
 */
const parse = middy<APIGatewayProxyEvent, unknown>()
  .use(httpJsonBodyParser<APIGatewayProxyEvent>({ disableContentTypeCheck: true }))
  .handler(async ({ body }) => body)

/**
 * The body of a request; undefined if none is sent, which may be allowed. Checks its size, its encoding and
 * its content type, then its JSON. Throws ApiError 413, 415 or 400, or 422 if the parser refuses a name or the
 * depth.
 */
export const readBody = async (
  event: APIGatewayProxyEvent,
  schema: ObjectSchema,
  mayBeAbsent: boolean,
): Promise<Body | undefined> => {
  const bytes = bodyBytes(event)
  requireUncompressed(event)
  if (bytes.length > 0) requireJson(event)
  const text = decodedText(bytes)
  if (text === '' && mayBeAbsent) return undefined
  try {
    const value = await parse({ ...event, body: text, isBase64Encoded: false }, noContext)
    return { text, value }
  } catch (cause) {
    // The parser's own error contains no position, and quotes the body. If the text is not JSON, this throws
    // one that does not.
    parseJson(text)
    throw new ApiError('invalid', textViolations(text, schema).map(violationDetail), { cause })
  }
}
