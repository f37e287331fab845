import { Pool } from 'undici'
import type { ImportOptions } from './options.ts'
import type { Answer, Target } from './target.ts'

/** The address of the API, of which a path is kept, and the credentials. */
export type HttpAccess = Pick<ImportOptions, 'baseUrl' | 'appId' | 'apiKey'>

/** Slightly more than the gateway's timeout. */
const TIMEOUT_MILLIS = 30_000

const lost = ({ message, name }: Error): Answer => ({ status: 0, headers: {}, text: message || name })

/** The API over HTTP, with a kept connection for each concurrent request. */
export const httpTarget = ({ baseUrl, appId, apiKey }: HttpAccess): Target => {
  const { origin, pathname } = new URL(baseUrl)
  const basePath = pathname.replace(/\/+$/, '')
  const pool = new Pool(origin, { headersTimeout: TIMEOUT_MILLIS, bodyTimeout: TIMEOUT_MILLIS })
  const headers = { authorization: `Bearer ${apiKey}`, 'x-app-id': appId, 'content-type': 'application/json' }
  const send: Target['send'] = async (method, path, body) => {
    try {
      const answer = await pool.request({ method, path: basePath + path, headers, body: body ?? null })
      return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() }
    } catch (error) {
      return lost(error as Error)
    }
  }
  return { name: origin + basePath, appId, send, close: () => pool.destroy() }
}
