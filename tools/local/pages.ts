import type { IncomingMessage } from 'node:http'
import type { APIGatewayProxyResult } from 'aws-lambda'
import { CONSOLE_PATH, DOCS_PATH } from '../../shared/contract/document-function.ts'
import { consolePage } from '../../shared/site/console.ts'
import { docsPage } from '../../shared/site/docs-page.ts'
import { pageHeaders } from '../../shared/site/page-headers.ts'
import type { Credentials } from '../../shared/store/credentials.ts'
import { hostOf, isLoopbackAddress, isLoopbackHost } from './loopback.ts'

/** Undefined for a request for no local page. */
export type LocalPages = (request: IncomingMessage, path: string) => APIGatewayProxyResult | undefined

/** Only then may a page contain the demo key. */
const isFromThisMachine = (request: IncomingMessage): boolean =>
  isLoopbackAddress(request.socket.remoteAddress) && isLoopbackHost(hostOf(request))

const pagesWithKey: Readonly<Record<string, (demo: Credentials) => string>> = {
  [DOCS_PATH]: docsPage,
  [CONSOLE_PATH]: consolePage,
}

/** `/`, which redirects to the console, and pages that contain the credentials of the demo application. */
export const localPages =
  (demo: Credentials): LocalPages =>
  (request, path) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
    const hasSlash = path === CONSOLE_PATH && /\/(\?|$)/.test(request.url ?? '')
    if (path === '' || hasSlash) return { statusCode: 302, headers: { location: CONSOLE_PATH }, body: '' }
    const page = Object.hasOwn(pagesWithKey, path) ? pagesWithKey[path] : undefined
    if (!page || !isFromThisMachine(request)) return undefined
    return {
      statusCode: 200,
      headers: { ...pageHeaders(path), 'cache-control': 'no-store' },
      body: page(demo),
    }
  }
