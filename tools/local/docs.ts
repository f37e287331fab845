import type { IncomingMessage } from 'node:http'
import type { APIGatewayProxyResult } from 'aws-lambda'
import { DOCS_PATH } from '../../shared/contract/deployable.ts'
import { docsPage } from '../../shared/openapi/page.ts'
import { pageHeaders } from '../../shared/openapi/page-headers.ts'
import type { Credentials } from '../applications/api-keys.ts'
import { hostOf, isLoopbackAddress, isLoopbackHost } from './loopback.ts'

/** Answers a request for a local page; returns undefined for any other request. */
export type Pages = (request: IncomingMessage, path: string) => APIGatewayProxyResult | undefined

/** Whether a request comes from this machine and names it as its host: only then may the page contain the demo key. */
const isLocal = (request: IncomingMessage): boolean =>
  isLoopbackAddress(request.socket.remoteAddress) && isLoopbackHost(hostOf(request))

/**
 * What the local service has beyond the deployed one: `/` leads to the documentation page, and the page has the demo
 * application's credentials filled in.
 */
export const localPages =
  (demo: Credentials): Pages =>
  (request, path) => {
    if (request.method !== 'GET') return undefined
    if (path === '') return { statusCode: 302, headers: { location: DOCS_PATH }, body: '' }
    if (path !== DOCS_PATH || !isLocal(request)) return undefined
    return {
      statusCode: 200,
      headers: { ...pageHeaders(path), 'cache-control': 'no-store' },
      body: docsPage(demo),
    }
  }
