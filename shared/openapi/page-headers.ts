/** The page may connect to its own server only, whatever its script attempts. */
const policy = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The headers of the documentation page and of its script, by path. */
export const pageHeaders = (path: string): Record<string, string> => ({
  'content-type': `text/${path.endsWith('.js') ? 'javascript' : 'html'}; charset=utf-8`,
  'content-security-policy': policy,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
})
