import { transform } from 'esbuild'
import { createClient } from '../../client/index.ts'
import { catalogue } from '../../shared/catalogue.ts'
import { operationId } from '../../shared/openapi/components.ts'
import { samples } from '../../shared/site/samples.ts'
import { examplePath, firstExampleBody } from '../support/requests/examples.ts'

interface SentRequest {
  readonly method: string
  readonly url: string
  readonly body: unknown
}

const requestsOf = async (sample: string): Promise<SentRequest[]> => {
  const requests: SentRequest[] = []
  const fetch = async (url: string, { method, body }: { method: string; body: string | null }) => {
    requests.push({ method, url, body: body && JSON.parse(body) })
    return new Response('{"data": {"any": {}}, "pagination": {"next_cursor": null}}')
  }
  const { code } = await transform(`export const run = async () => {${sample.replace(/^import.*$/m, '')}}`, {
    loader: 'ts',
    format: 'cjs',
  })
  const module: { exports: { run?: () => Promise<void> } } = { exports: {} }
  const access = { baseUrl: 'http://127.0.0.1:3000', appId: 'app', apiKey: 'key' }
  const create = ({ baseUrl }: { baseUrl: string }) => createClient({ ...access, baseUrl, fetch })
  new Function('module', 'createClient', code)(module, create)
  await module.exports.run?.().catch((error: unknown) => {
    // The responses above have no list to iterate over.
    if (!(error instanceof TypeError)) throw error
  })
  return requests
}

it.each(catalogue)(
  'runs the sample of $id for the typed client, which sends the example of the OpenAPI document',
  async (endpoint) => {
    const [request] = await requestsOf(samples()[operationId(endpoint)]!)
    const query = endpoint.operation === 'list' ? '?limit=100' : ''
    expect(request).toEqual({
      method: endpoint.method,
      url: `http://127.0.0.1:3000${examplePath(endpoint)}${query}`,
      body: endpoint.body ? firstExampleBody(endpoint) : null,
    })
  },
)
