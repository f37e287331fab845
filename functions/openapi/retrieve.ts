import { createHash } from 'node:crypto'
import { openApiDocument } from '#openapi'
import { document } from '../../shared/contract/deployable.ts'
import { baseUrlOf, headerValues, requestIdOf } from '../../shared/http/request.ts'
import { respond } from '../../shared/http/responses.ts'
import type { Handler } from '../../shared/http/serve.ts'

/** How long anyone may keep the document without asking again, in seconds: about as long as a release takes. */
const KEPT_SECONDS = 300

/** GET /openapi.json: the document of the API at the address where it was asked for, or 304 where it is known. */
export const handler: Handler = async (event) => {
  const body = JSON.stringify(openApiDocument(baseUrlOf(event, document.path)))
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`
  const known = headerValues(event, 'if-none-match').some((value) => value.includes(etag))
  return respond(known ? 304 : 200, known ? '' : body, requestIdOf(event), {
    etag,
    'cache-control': `public, max-age=${KEPT_SECONDS}`,
    // Pages of other origins (editors, importers) may read the document.
    'access-control-allow-origin': '*',
  })
}
