import { execFile } from 'node:child_process'
import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { bundleFunctions, ENTRY } from '../../lib/bundle/bundle.ts'
import { products } from '../../shared/resources/product.ts'
import { newApiKey } from '../../shared/store/credentials.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

interface Sent {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const folder = temporaryFolder()
const built = bundleFunctions(folder, [products.retrieve])
const sent: Sent[] = []

// A stand-in for DynamoDB that finds no item and records its requests.
const dynamodb = createServer(async (request: IncomingMessage, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  sent.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
  response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end('{}')
})

beforeAll(() => new Promise<void>((resolve) => dynamodb.listen(0, '127.0.0.1', resolve)))
afterAll(() => new Promise((resolve) => dynamodb.close(resolve)))

const event = {
  headers: { authorization: `Bearer ${newApiKey()}`, 'x-app-id': 'app_1' },
  pathParameters: { id: '1' },
}
const script = `import('./products/retrieve/${ENTRY}')
  .then(({ handler }) => handler(${JSON.stringify(event)}, { getRemainingTimeInMillis: () => 5000 }))
  .then((answer) => console.log(JSON.stringify(answer)))`

/** Runs a bundled function as Lambda does, with AWS credentials in the environment or none. */
const runFunction = async (credentials: Record<string, string>): Promise<string[]> => {
  await built
  const env = {
    TABLE_NAME: 'billing',
    AWS_REGION: 'eu-central-1',
    AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${(dynamodb.address() as AddressInfo).port}`,
    HOME: folder,
    ...credentials,
  }
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { cwd: folder, env })
  return stdout.trim().split('\n')
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** Computes the AWS signature of a request (Signature Version 4, for POST / without a query). */
const signatureOf = ({ headers, body }: Sent, secret: string): string => {
  const [, scope = '', names = ''] =
    /Credential=[^/]+\/([^,]+), SignedHeaders=([^,]+),/.exec(headers.authorization ?? '') ?? []
  const lines = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`)
  const canonical = ['POST', '/', '', lines.join(''), names, hash(body)].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash(canonical)].join('\n')
  const key = scope.split('/').reduce<string | Buffer>((part, text) => hmac(part, text), `AWS4${secret}`)
  return hmac(key, toSign).toString('hex')
}

describe('a bundle without the credential providers that Lambda does not need', () => {
  it('signs with the credentials in the environment', async () => {
    const said = await runFunction({
      AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_SESSION_TOKEN: 'session-token',
    })
    expect(JSON.parse(said.at(-1)!)).toMatchObject({ statusCode: 401 })
    // One of the warm-up, one of the request.
    expect(sent).toHaveLength(2)
    const { authorization, ...headers } = sent[1]!.headers
    expect(headers['x-amz-target']).toBe('DynamoDB_20120810.GetItem')
    expect(headers['x-amz-security-token']).toBe('session-token')
    expect(authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/dynamodb\/aws4_request, /,
    )
    expect(authorization).toContain(`, Signature=${signatureOf(sent[1]!, 'secret')}`)
  })

  it('logs that credentials are missing', async () => {
    sent.length = 0
    const [warning, line, answer] = (await runFunction({})).map((text) => JSON.parse(text))
    expect(answer).toMatchObject({ statusCode: 500 })
    expect(warning).toMatchObject({ level: 'warn', error: { name: 'CredentialsProviderError' } })
    expect(line.error).toMatchObject({
      name: 'CredentialsProviderError',
      message: 'Unable to find environment variable credentials.',
    })
    expect(sent).toEqual([])
  })
})
