import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { APIGatewayProxyResult } from 'aws-lambda'
import { document } from '../../shared/contract/deployable.ts'
import { ApiError } from '../../shared/errors.ts'
import type { Credentials } from '../../shared/store/api-keys.ts'
import { scalarScript } from './scalar-script.ts'

/** Answers requests for pages, which are not part of the API; returns undefined for any other path. */
export type Pages = (request: IncomingMessage, path: string) => Promise<APIGatewayProxyResult | undefined>

/** The path of the documentation page. */
export const DOCS_PATH = '/docs'
const SCRIPT_PATH = `${DOCS_PATH}/scalar.js`

// The page may connect to this server only, whatever its script attempts.
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

const settings = (demo: Credentials | undefined) => ({
  url: document.path,
  theme: 'default',
  layout: 'modern',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: 'json',
  modelsSectionLabel: 'Schemas',
  orderSchemaPropertiesBy: 'preserve',
  persistAuth: false,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  authentication: {
    preferredSecurityScheme: [['apiKey', 'appId']],
    ...(demo ? { securitySchemes: { apiKey: { token: demo.api_key }, appId: { value: demo.app_id } } } : {}),
  },
})

// An unescaped "<" could close the script element.
const inScript = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

const page = (demo: Credentials | undefined): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Subscription Billing Data API</title>
<link rel="icon" href="data:,">
</head>
<body>
<div id="app"></div>
<script src="${SCRIPT_PATH}"></script>
<script>Scalar.createApiReference('#app', ${inScript(settings(demo))})</script>
</body>
</html>
`

const loopback = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])

/** Whether a request comes from this machine and names it as its host: only then may the page contain the demo key. */
const isLocal = ({ socket, headers }: IncomingMessage): boolean =>
  loopback.has(socket.remoteAddress ?? '') &&
  /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(headers.host ?? '')

const html = (body: string): APIGatewayProxyResult => ({
  statusCode: 200,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  },
  body,
})

interface Asset {
  readonly body: string
  readonly etag: string
}

const loadScript = async (): Promise<Asset> => {
  try {
    const body = await scalarScript()
    return { body, etag: `"${createHash('sha256').update(body).digest('base64url')}"` }
  } catch (cause) {
    throw new ApiError('route_not_found', 'The script of the documentation page is not installed.', { cause })
  }
}

const script = ({ body, etag }: Asset, known: string | undefined): APIGatewayProxyResult => ({
  statusCode: known === etag ? 304 : 200,
  headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache', etag },
  body: known === etag ? '' : body,
})

/** Serves the documentation page, with the demo application's credentials filled in, and its script. */
export const docsPages = (demo: Credentials): Pages => {
  let asset: Promise<Asset> | undefined
  return async (request, path) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
    if (path === DOCS_PATH) return html(page(isLocal(request) ? demo : undefined))
    if (path !== SCRIPT_PATH) return undefined
    asset ??= loadScript()
    return script(await asset, request.headers['if-none-match'])
  }
}
