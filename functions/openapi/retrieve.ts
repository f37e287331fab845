import { createHash } from 'node:crypto'
import type { APIGatewayProxyEvent } from 'aws-lambda'
import { openApiDocument } from '#openapi'
import { pageAt } from '#pages'
import { servedPages } from '../../shared/config.ts'
import { CONSOLE_PATH, documentFunction } from '../../shared/contract/document-function.ts'
import { baseUrlOf, headerValues, requestIdOf } from '../../shared/http/request.ts'
import { createResponse, responseForMethod } from '../../shared/http/responses.ts'
import type { Handler } from '../../shared/http/serve.ts'
import { pageHeaders } from '../../shared/site/page-headers.ts'

/** The time for which a response can be cached, in seconds: about as long as a release takes. */
const CACHE_SECONDS = 300

/** The headers of the document. Pages of other origins (editors, importers) can read it. */
const documentHeaders = (): Record<string, string> => {
  const pages = servedPages()
  return {
    'access-control-allow-origin': '*',
    // The documentation page and the console read from this header whether they can link to each other.
    ...(pages ? { 'served-pages': pages } : {}),
  }
}

/** The content of a response, and the headers that only it has. */
interface Content {
  readonly body: string
  readonly isBase64Encoded: boolean
  readonly headers: Readonly<Record<string, string>>
}

/** The page at the path of a request or, if it has no page, the document with the address of the request. */
const contentFor = (event: APIGatewayProxyEvent): Content => {
  const page = pageAt(event.resource)
  if (page) {
    // Pages are always compressed: uncompressed, the script would be near Lambda's limit of 6 MB.
    const headers = { ...pageHeaders(event.resource), 'content-encoding': 'gzip' }
    return { body: page.toString('base64'), isBase64Encoded: true, headers }
  }
  const document = openApiDocument(baseUrlOf(event, documentFunction.path))
  return { body: JSON.stringify(document), isBase64Encoded: false, headers: documentHeaders() }
}

/**
 * GET /openapi.json, /docs, /console and their files: the document of the API at the requested address, the
 * pages that show the document and the data, their scripts and styles, or 304 if the client's copy is
 * current.
 */
export const handler: Handler = async (event) => {
  const requestId = requestIdOf(event)
  // The console names its files relative to its address without a slash at the end.
  if (event.resource === CONSOLE_PATH && event.path?.endsWith('/'))
    return createResponse(302, '', requestId, { location: '../console' })
  const { body, isBase64Encoded, headers: contentHeaders } = contentFor(event)
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`
  const headers = { etag, 'cache-control': `public, max-age=${CACHE_SECONDS}`, ...contentHeaders }
  const isCurrent = headerValues(event, 'if-none-match').some((value) => value.includes(etag))
  if (isCurrent) return { ...createResponse(304, '', requestId, headers), isBase64Encoded: false }
  const response = { ...createResponse(200, body, requestId, headers), isBase64Encoded }
  return responseForMethod(event.httpMethod, response)
}
