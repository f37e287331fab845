import { createHash } from 'node:crypto'
import { openApiDocument } from '#openapi'
import { pageAt } from '#pages'
import { CONSOLE_PATH, document } from '../../shared/contract/deployable.ts'
import { baseUrlOf, headerValues, requestIdOf } from '../../shared/http/request.ts'
import { respond } from '../../shared/http/responses.ts'
import type { Handler } from '../../shared/http/serve.ts'
import { pageHeaders } from '../../shared/openapi/page-headers.ts'

/** How long a response may be cached, in seconds: about as long as a release takes. */
const KEPT_SECONDS = 300

/**
 * GET /openapi.json, /docs, /console and their files: the document of the API at the address where it was asked for, the
 * pages that show it and the data, their scripts and styles, or 304 for what the client has. Pages are always compressed: uncompressed, the
 * script would be near the 6 MB that Lambda returns at most.
 */
export const handler: Handler = async (event) => {
  const page = pageAt(event.resource)
  // The console names its files relative to its address without a slash at the end.
  if (event.resource === CONSOLE_PATH && event.path?.endsWith('/'))
    return respond(302, '', requestIdOf(event), { location: '../console' })
  const body = page?.toString('base64') ?? JSON.stringify(openApiDocument(baseUrlOf(event, document.path)))
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`
  const known = headerValues(event, 'if-none-match').some((value) => value.includes(etag))
  const response = respond(known ? 304 : 200, known ? '' : body, requestIdOf(event), {
    etag,
    'cache-control': `public, max-age=${KEPT_SECONDS}`,
    // Pages of other origins (editors, importers) may read the document.
    ...(page
      ? { ...pageHeaders(event.resource), 'content-encoding': 'gzip' }
      : { 'access-control-allow-origin': '*' }),
  })
  return { ...response, isBase64Encoded: page !== undefined && !known }
}
