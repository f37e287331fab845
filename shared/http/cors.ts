/** Returns the CORS headers that let pages of `origin` read a response; none without an origin. */
export const corsHeadersFor = (origin: string | undefined): Record<string, string> =>
  origin
    ? {
        'access-control-allow-origin': origin,
        'access-control-expose-headers': 'x-request-id, retry-after, allow, idempotent-replayed',
      }
    : {}
