import type { WithIncludes } from '../contract/call.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { ApiError } from '../errors.ts'
import { fitting, MAX_PAYLOAD_BYTES, type Page, type PageRequest } from '../pagination/page.ts'

/** An upper bound for the bytes of headers, envelope and two cursors. */
const ENVELOPE_BYTES = 2_000
const MAX_ROWS_BYTES = MAX_PAYLOAD_BYTES - ENVELOPE_BYTES
/** The maximum bytes of a character of the body in Lambda's result: two escaped ASCII characters, or three bytes of UTF-8. */
const MAX_CHARACTER_BYTES = 3

/** An entity of a response with its JSON text. */
export interface Row {
  readonly item: WithIncludes
  readonly json: string
}

/** Returns the bytes of a row in the payload, including its comma. */
const payloadBytes = ({ json }: Row): number => Buffer.byteLength(JSON.stringify(json)) + 1

/** Returns the 422 error for an entity whose children alone exceed a response. The name of their include is their plural. */
const tooManyChildren = ({ include, resource }: Endpoint, { entity, embedded = {} }: WithIncludes) => {
  const [name, field] = Object.entries(include).flatMap(([each, how]) =>
    how.from === 'children' && each in embedded ? [each, how.field] : [],
  )
  const problem = `must not name ${name} for ${resource.name} ${entity.id}, whose ${name} take more than 5 MiB`
  return new ApiError('invalid', `include ${problem}; read them with GET /api/${name}?${field}=${entity.id}.`)
}

/**
 * Returns the part of a page that Lambda can return. Throws ApiError `invalid` if its first entity alone is too large. Measures
 * only large pages, since it costs as much as serialising.
 */
export const payloadPage = (endpoint: Endpoint, request: PageRequest, page: Page<Row>): Page<Row> => {
  const characters = page.items.reduce((sum, { json }) => sum + json.length + 1, 0)
  if (characters * MAX_CHARACTER_BYTES <= MAX_ROWS_BYTES) return page
  const fits = fitting(request, page, payloadBytes, MAX_ROWS_BYTES)
  const [first] = fits.items
  if (first && fits.items.length === 1 && payloadBytes(first) > MAX_ROWS_BYTES)
    throw tooManyChildren(endpoint, first.item)
  return fits
}
