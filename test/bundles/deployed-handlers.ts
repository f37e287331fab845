import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { APIGatewayProxyResult } from 'aws-lambda'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import type { Handler } from '../../shared/http/serve.ts'
import type { HandlerLoader } from '../../shared/local/server.ts'
import type { Invocation } from './function-process.ts'

/** A function as its template has it. */
interface Deployed {
  readonly file: string
  readonly environment: Record<string, string>
  readonly timeoutMillis: number
}

interface FunctionResource {
  readonly Type: string
  readonly Metadata: Readonly<Record<string, string>>
  readonly Properties: {
    readonly Handler: string
    readonly Timeout: number
    readonly Description: string
    readonly Environment: { readonly Variables: Readonly<Record<string, unknown>> }
  }
}

/** What the functions are connected to, in place of the references of the template. */
export interface Place {
  readonly assembly: string
  /** Stands where the template refers to its table. */
  readonly table: string
  /** The address of DynamoDB. */
  readonly endpoint: string
  readonly log: (line: string) => void
}

const templateOf = (assembly: string): { Resources: Record<string, FunctionResource> } => {
  const [name] = readdirSync(assembly).filter((each) => each.endsWith('.template.json'))
  return JSON.parse(readFileSync(join(assembly, name as string), 'utf8'))
}

const resolved = (variables: Readonly<Record<string, unknown>>, table: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(variables).map(([name, value]) => {
      if (typeof value === 'string') return [name, value]
      if (/^\{"Ref":"BillingTable/.test(JSON.stringify(value))) return [name, table]
      throw new Error(`${name} refers to something that is not the table: ${JSON.stringify(value)}`)
    }),
  )

const deployedOf = ({ assembly, table }: Place, { method, path }: Endpoint): Deployed => {
  const functions = Object.values(templateOf(assembly).Resources).filter(
    ({ Type }) => Type === 'AWS::Lambda::Function',
  )
  const found = functions.find(({ Properties }) => Properties.Description.startsWith(`${method} ${path}: `))
  if (!found) throw new Error(`The template has no function for ${method} ${path}`)
  const { Handler: name, Timeout, Environment } = found.Properties
  return {
    file: join(assembly, found.Metadata['aws:asset:path'] as string, `${name.split('.')[0]}.js`),
    environment: resolved(Environment.Variables, table),
    timeoutMillis: Timeout * 1000,
  }
}

/** What Lambda gives every function besides, and the one thing that is not so there: where DynamoDB is. */
const lambdaEnvironment = (endpoint: string): Record<string, string> => ({
  AWS_REGION: 'eu-west-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_SESSION_TOKEN: 'local',
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  AWS_ENDPOINT_URL_DYNAMODB: endpoint,
})

interface Message {
  readonly line?: string
  readonly number?: number
  readonly result?: APIGatewayProxyResult
  readonly failure?: string
}

const start = ({ file, environment, timeoutMillis }: Deployed, { endpoint, log }: Place) => {
  const script = fileURLToPath(new URL('./function-process.ts', import.meta.url))
  const env = { ...lambdaEnvironment(endpoint), ...environment }
  const worker = new Worker(script, { workerData: { file, timeoutMillis }, env })
  const waiting = new Map<number, (message: Message) => void>()
  const answer = (number: number, message: Message) => {
    waiting.get(number)?.(message)
    waiting.delete(number)
  }
  worker.on('message', (message: Message) => {
    if (message.line !== undefined) log(message.line)
    else answer(message.number!, message)
  })
  worker.on('error', (error) => {
    for (const number of waiting.keys()) answer(number, { failure: String(error) })
  })
  let last = 0
  const handler: Handler = (event) =>
    new Promise((resolve, reject) => {
      last += 1
      waiting.set(last, ({ result, failure }) => (result ? resolve(result) : reject(new Error(failure))))
      worker.postMessage({ number: last, event } satisfies Invocation)
    })
  return { handler, worker }
}

/** The handlers of a synthesised stack: each bundle in a process-like place of its own, started when first called. */
export const deployedHandlers = (place: Place): { load: HandlerLoader; stop(): Promise<void> } => {
  const running = new Map<string, ReturnType<typeof start>>()
  const load: HandlerLoader = async (endpoint) => {
    const found = running.get(endpoint.id) ?? start(deployedOf(place, endpoint), place)
    running.set(endpoint.id, found)
    return found.handler
  }
  const stop = async () =>
    void (await Promise.all([...running.values()].map(({ worker }) => worker.terminate())))
  return { load, stop }
}
