import { corsHeadersFor as corsHeaders } from '../../shared/http/cors.ts'
import type { FixedAnswer } from './mock-method.ts'

/** How long a browser may cache the answer to a preflight, in seconds. */
const KEPT_SECONDS = 3_600

/** Returns the answer to a CORS preflight: the methods and headers that a page of `origin` may send. */
export const preflight = (origin: string, methods: readonly string[]): FixedAnswer => ({
  status: '204',
  body: '',
  headers: {
    ...Object.fromEntries(Object.entries(corsHeaders(origin)).map(([name, value]) => [name, `'${value}'`])),
    'access-control-allow-methods': `'${methods.join(', ')}'`,
    'access-control-allow-headers': "'authorization, x-app-id, content-type, accept, x-request-id'",
    'access-control-max-age': `'${KEPT_SECONDS}'`,
  },
})
