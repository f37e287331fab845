import { spawn } from 'node:child_process'
import { join } from 'node:path'
import getPort from 'get-port'
import { untilListening } from '../support/listening.ts'

const REGION = 'eu-west-1'
/** The emulator's only account. */
const ACCOUNT = '123456789012'

/** A running emulator of AWS, and how SDK clients reach it. */
export interface Emulator {
  readonly client: {
    readonly endpoint: string
    readonly region: string
    readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
    readonly maxAttempts: number
  }
  /** Its warnings about unknown resources. */
  said(): string
  stop(): void
}

const call = async (url: string, service: string, request: RequestInit): Promise<void> => {
  // The emulator reads the service from this header and checks no signature.
  const authorization = `AWS4-HMAC-SHA256 Credential=x/20260101/${REGION}/${service}/aws4_request, SignedHeaders=host, Signature=0`
  const response = await fetch(url, { ...request, headers: { ...request.headers, authorization } })
  if (!response.ok) throw new Error(`${service}: ${response.status} ${await response.text()}`)
}

/** Creates what `cdk bootstrap` creates and templates require: a version parameter, and a bucket for assets. */
const bootstrap = async (endpoint: string): Promise<void> => {
  await call(endpoint, 'ssm', {
    method: 'POST',
    headers: { 'x-amz-target': 'AmazonSSM.PutParameter', 'content-type': 'application/x-amz-json-1.1' },
    body: JSON.stringify({ Name: '/cdk-bootstrap/hnb659fds/version', Value: '30', Type: 'String' }),
  })
  await call(`${endpoint}/cdk-hnb659fds-assets-${ACCOUNT}-${REGION}`, 's3', {
    method: 'PUT',
    body: `<CreateBucketConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><LocationConstraint>${REGION}</LocationConstraint></CreateBucketConfiguration>`,
  })
}

/** Starts moto with a bootstrapped account. `folder` contains its commands. */
export const startEmulator = async (commands: string): Promise<Emulator> => {
  const port = await getPort()
  const server = spawn(join(commands, 'moto_server'), ['-H', '127.0.0.1', '-p', String(port)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
  const endpoint = `http://127.0.0.1:${port}`
  const stop = () => void server.kill()
  try {
    await untilListening(server, port)
    await bootstrap(endpoint)
  } catch (error) {
    stop()
    throw error
  }
  const credentials = { accessKeyId: 'x', secretAccessKey: 'x' }
  return { client: { endpoint, region: REGION, credentials, maxAttempts: 1 }, said: () => said, stop }
}
