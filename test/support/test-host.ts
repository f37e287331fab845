import { setLogSink } from '../../shared/log.ts'
import { type Host, startHost } from '../../tools/testing/host.ts'
import type { Seed } from '../../tools/testing/settings.ts'

export interface HostForTests {
  readonly host: () => Host
  readonly call: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Response>
}

/** The body of an answer, whose shape the test knows. */
export const jsonOf = async (response: Response) => (await response.json()) as never

/** A test service in the process of this test file, with its seed at the beginning of each test. */
export const hostForTests = (seed: Seed): HostForTests => {
  let host: Host
  beforeAll(async () => {
    setLogSink(() => undefined)
    host = await startHost({ port: 0, host: '127.0.0.1', seed })
  })
  afterAll(() => host.stop())
  beforeEach(() => host.reset())
  const call: HostForTests['call'] = (method, path, body, headers = {}) =>
    fetch(host.baseUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${host.apiKey}`,
        'x-app-id': host.appId,
        'content-type': 'application/json',
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  return { host: () => host, call }
}
