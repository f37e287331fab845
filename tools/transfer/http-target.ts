import * as http from 'node:http'
import * as https from 'node:https'
import { text } from 'node:stream/consumers'
import type { Answer, Target } from './target.ts'

/** The address of the API and the credentials. */
export interface HttpAccess {
  /** Such as `https://billing.example.org`; a path in it is kept. */
  readonly baseUrl: string
  readonly appId: string
  readonly apiKey: string
}

/** Slightly more than the gateway's timeout. */
const TIMEOUT_MILLIS = 30_000

const lost = (error: Error): Answer => ({ status: 0, headers: {}, text: error.message || error.name })

/** The API over HTTP, with a kept connection for each concurrent request. */
export const httpTarget = ({ baseUrl, appId, apiKey }: HttpAccess): Target => {
  const { request, Agent } = baseUrl.startsWith('https:') ? https : http
  const agent = new Agent({ keepAlive: true })
  const base = baseUrl.replace(/\/+$/, '')
  const fixed = { authorization: `Bearer ${apiKey}`, 'x-app-id': appId, 'content-type': 'application/json' }
  const send: Target['send'] = (method, path, body) =>
    new Promise((resolve) => {
      const bytes = body === undefined ? undefined : Buffer.from(body)
      const headers = { ...fixed, ...(bytes ? { 'content-length': bytes.length } : {}) }
      const sent = request(base + path, { method, agent, headers, timeout: TIMEOUT_MILLIS }, (response) => {
        const answer = (whole: string) =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text: whole })
        text(response).then(answer, (error: Error) => resolve(lost(error)))
      })
      sent.once('timeout', () => sent.destroy(new Error(`no answer within ${TIMEOUT_MILLIS / 1000} s`)))
      sent.once('error', (error) => resolve(lost(error)))
      sent.end(bytes)
    })
  return { name: base, appId, send, close: () => agent.destroy() }
}
