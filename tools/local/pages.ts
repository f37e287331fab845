import type { IncomingMessage } from 'node:http'
import type { APIGatewayProxyResult } from 'aws-lambda'
import { CONSOLE_PATH, DOCS_PATH } from '../../shared/contract/deployable.ts'
import { consolePage } from '../../shared/site/console.ts'
import { docsPage } from '../../shared/site/page.ts'
import { pageHeaders } from '../../shared/site/page-headers.ts'
import type { Credentials } from '../applications/api-keys.ts'
import { hostOf, isLoopbackAddress, isLoopbackHost } from './loopback.ts'

/** Responds to a request for a local page; returns undefined for any other request. */
export type Pages = (request: IncomingMessage, path: string) => APIGatewayProxyResult | undefined

/** Returns whether a request comes from this machine and names it as its host. Only then may a page contain the demo key. */
const isLocal = (request: IncomingMessage): boolean =>
  isLoopbackAddress(request.socket.remoteAddress) && isLoopbackHost(hostOf(request))

const filledIn: Readonly<Record<string, (demo: Credentials) => string>> = {
  [DOCS_PATH]: docsPage,
  [CONSOLE_PATH]: consolePage,
}

/**
 * Returns the pages that only the local service has: `/` redirects to the console, and the demo application's credentials
 * are filled in.
 */
export const localPages =
  (demo: Credentials): Pages =>
  (request, path) => {
    if (request.method !== 'GET') return undefined
    const slashed = path === CONSOLE_PATH && /\/(\?|$)/.test(request.url ?? '')
    if (path === '' || slashed) return { statusCode: 302, headers: { location: CONSOLE_PATH }, body: '' }
    const page = Object.hasOwn(filledIn, path) ? filledIn[path] : undefined
    if (!page || !isLocal(request)) return undefined
    return {
      statusCode: 200,
      headers: { ...pageHeaders(path), 'cache-control': 'no-store' },
      body: page(demo),
    }
  }
