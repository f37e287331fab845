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

const textOf = ({ body, isBase64Encoded }: APIGatewayProxyEvent): string => {
  if (!body) return ''
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8')
  if (bytes.length > MAX_BODY_BYTES)
    throw new ApiError(
      'body_too_large',
      `The body must be at most ${MAX_BODY_BYTES} bytes (got ${bytes.length}).`,
    )
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

interface ParserError {
  readonly message: string
  readonly cause?: { readonly data?: unknown }
}

const unreadable = (error: ParserError): ApiError =>
  error.message.startsWith('Forbidden key')
    ? new ApiError('invalid', `${String(error.cause?.data)} must not be the name of a field.`)
    : new ApiError('unreadable_body', 'The body must be valid JSON, an object such as {"id": "1"}.')

/** Reads and parses the body of an endpoint that takes one: 413, 415 or 400 when it can't be read (R1). */
export const readBody = ({ body, bodyMayBeAbsent }: Endpoint): MiddlewareObj<APIGatewayProxyEvent> => ({
  before: async (request) => {
    if (!body) return
    const text = textOf(request.event)
    stateOf(request).text = text
    const types = headerValues(request.event, 'content-type')
    if (text !== '' && !types.every(isJson))
      throw new ApiError('unsupported_media_type', 'The content type must be application/json in UTF-8.')
    if (text === '' && bodyMayBeAbsent) return
    Object.assign(request.event, { body: text, isBase64Encoded: false })
    try {
      await parser.before?.(request as never)
    } catch (error) {
      throw unreadable(error as ParserError)
    }
  },
})
