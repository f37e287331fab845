/** Returns the CORS headers that let pages of `origin` read a response; none without an origin. */
export const corsHeadersFor = (origin: string | undefined): Record<string, string> =>
  origin
    ? {
        'access-control-allow-origin': origin,
        'access-control-expose-headers':
          'x-request-id, retry-after, allow, idempotent-replayed, create-outcome, changes-held-back',
      }
    : {}

/** How long a browser may cache the response to a preflight, in seconds. */
const KEPT_SECONDS = 3_600

/** Returns the headers of the response to a CORS preflight: the methods and headers that a page of `origin` may send. */
export const preflightHeadersFor = (origin: string, methods: readonly string[]): Record<string, string> => ({
  ...corsHeadersFor(origin),
  'access-control-allow-methods': methods.join(', '),
  'access-control-allow-headers': 'authorization, x-app-id, content-type, accept, x-request-id',
  'access-control-max-age': String(KEPT_SECONDS),
})
