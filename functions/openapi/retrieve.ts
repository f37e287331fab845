import { openApiDocument } from '#openapi'
import { baseUrlOf, requestIdOf } from '../../shared/http/request.ts'
import { respond } from '../../shared/http/responses.ts'
import type { Handler } from '../../shared/http/serve.ts'
import { documentRoute } from '../../shared/openapi/servers.ts'

// Pages of other origins (editors, importers) may read the document.
const openToAll = { 'access-control-allow-origin': '*' }

/** GET /openapi.json: the document of the API at the address where it was asked for. */
export const handler: Handler = async (event) =>
  respond(
    200,
    JSON.stringify(openApiDocument(baseUrlOf(event, documentRoute.path))),
    requestIdOf(event),
    openToAll,
  )
