/** The headers by which a browser lets a page of `origin` read an answer; none where no origin may. */
export const corsHeadersFor = (origin: string | undefined): Record<string, string> =>
  origin
    ? {
        'access-control-allow-origin': origin,
        'access-control-expose-headers': 'x-request-id, retry-after, allow, idempotent-replayed',
      }
    : {}
