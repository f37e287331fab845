import { catalogue } from '../../../shared/catalogue.ts'
import type { Endpoint } from '../../../shared/contract/endpoint.ts'
import { matchedPath, route } from '../../../tools/local/gateway.ts'

/** Throws Error if no endpoint has the id. */
export const endpointNamed = (id: string): Endpoint => {
  const endpoint = catalogue.find((candidate) => candidate.id === id)
  if (!endpoint) throw new Error(`No endpoint has the id ${id}`)
  return endpoint
}

/** Undefined if the gateway itself responds. */
export const routedEndpoint = (method: string, path: string): Endpoint | undefined => {
  const { pathname } = new URL(path, 'http://localhost')
  // The GET of a list with a slash at its end is answered as the retrieve of an empty id.
  const collection = pathname.endsWith('/') ? matchedPath(pathname) : ''
  const isEmptyId = method === 'GET' && catalogue.some((endpoint) => endpoint.path === collection)
  const routedPath = isEmptyId ? `${collection}/empty` : pathname
  const routed = route(catalogue, { method, path: routedPath, requestId: '-' })
  return 'endpoint' in routed ? routed.endpoint : undefined
}
