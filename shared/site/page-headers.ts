import { CONSOLE_PATH } from '../contract/document-function.ts'

/** The directives of all pages: a page may connect to its own server only. */
const commonDirectives = [
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
]

const docsPolicy = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  ...commonDirectives,
].join('; ')

/** Nothing is inline, and no HTML is made from text. The Trusted Types policy is for the worker's script. */
const consolePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "require-trusted-types-for 'script'",
  'trusted-types worker',
  ...commonDirectives,
].join('; ')

const types: Readonly<Record<string, string>> = { js: 'javascript', css: 'css' }

/** The headers of a page and of its files, by path. */
export const pageHeaders = (path: string): Record<string, string> => ({
  'content-type': `text/${types[path.split('.')[1] ?? ''] ?? 'html'}; charset=utf-8`,
  'content-security-policy': path.startsWith(CONSOLE_PATH) ? consolePolicy : docsPolicy,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  // Browsers ignore it where they load a page without TLS, as from the local service.
  'strict-transport-security': 'max-age=31536000',
})
