import { createHash } from 'node:crypto'
import { openApiDocument } from '#openapi'
import { pageAt } from '#pages'
import { servedPages } from '../../shared/config.ts'
import { CONSOLE_PATH, documentFunction } from '../../shared/contract/document-function.ts'
import { baseUrlOf, headerValues, requestIdOf } from '../../shared/http/request.ts'
import { createResponse, responseForMethod } from '../../shared/http/responses.ts'
import type { Handler } from '../../shared/http/serve.ts'
import { pageHeaders } from '../../shared/site/page-headers.ts'

/** How long a response may be cached, in seconds: about as long as a release takes. */
const KEPT_SECONDS = 300

/** Returns the headers of the document. Pages of other origins (editors, importers) can read it. */
const documentHeaders = (): Record<string, string> => {
  const pages = servedPages()
  // By this header, the documentation page and the console know whether they can link to each other.
  const served: Record<string, string> = pages ? { 'served-pages': pages } : {}
  return { 'access-control-allow-origin': '*', ...served }
}

/**
 * GET /openapi.json, /docs, /console and their files: the document of the API at the requested address, the pages that show
 * the document and the data, their scripts and styles, or 304 if the client's copy is current. Pages are always compressed:
 * uncompressed, the script would be near Lambda's limit of 6 MB.
 */
export const handler: Handler = async (event) => {
  const page = pageAt(event.resource)
  // The console names its files relative to its address without a slash at the end.
  if (event.resource === CONSOLE_PATH && event.path?.endsWith('/'))
    return createResponse(302, '', requestIdOf(event), { location: '../console' })
  const body =
    page?.toString('base64') ?? JSON.stringify(openApiDocument(baseUrlOf(event, documentFunction.path)))
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`
  const ownHeaders = page ? { ...pageHeaders(event.resource), 'content-encoding': 'gzip' } : documentHeaders()
  const headers = { etag, 'cache-control': `public, max-age=${KEPT_SECONDS}`, ...ownHeaders }
  const isCurrent = headerValues(event, 'if-none-match').some((value) => value.includes(etag))
  if (isCurrent) return { ...createResponse(304, '', requestIdOf(event), headers), isBase64Encoded: false }
  const response = {
    ...createResponse(200, body, requestIdOf(event), headers),
    isBase64Encoded: page !== undefined,
  }
  return responseForMethod(event.httpMethod, response)
}
