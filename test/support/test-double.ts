import { setLogSink } from '../../shared/log.ts'
import { startDouble, type TestDouble } from '../../tools/testing/double.ts'
import type { Seed } from '../../tools/testing/options.ts'

/** A response of a test double; `details` are those of an error, in order. */
export interface DoubleResponse {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test knows the shape of what it asks for
  readonly json: any
  readonly details: string[]
}

interface Sent {
  readonly body?: unknown
  /** Sent unchanged instead of `body`. */
  readonly raw?: string
  readonly headers?: Record<string, string>
}

/** A test double in the process of this test file, which has `seed` at the beginning of each test. */
export const doubleForTests = (seed: Seed) => {
  let double: TestDouble
  beforeAll(async () => {
    setLogSink(() => undefined)
    double = await startDouble({ port: 0, host: '127.0.0.1', seed })
  })
  afterAll(() => double.stop())
  beforeEach(() => double.reset())

  const call = async (method: string, path: string, { body, raw, headers = {} }: Sent = {}) => {
    const { base_url, app_id, api_key } = double.access
    const credentials = { authorization: `Bearer ${api_key}`, 'x-app-id': app_id }
    const response = await fetch(base_url + path, {
      method,
      headers: { ...credentials, 'content-type': 'application/json', ...headers },
      body: raw ?? (body === undefined ? null : JSON.stringify(body)),
    })
    const json = JSON.parse(await response.text())
    const details = (json.errors ?? []).map(({ detail }: { detail: string }) => detail)
    return { status: response.status, headers: response.headers, json, details } satisfies DoubleResponse
  }
  /** Sends a request to a control. */
  const control = (method: string, path: string, body?: unknown) => call(method, `/__test${path}`, { body })
  return { double: () => double, call, control }
}
