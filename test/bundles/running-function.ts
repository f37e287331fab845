import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { APIGatewayProxyEvent } from 'aws-lambda'
import type { Handler } from '../../shared/http/serve.ts'
import type { FunctionSettings, Invocation, Report } from './function-process.ts'

const script = fileURLToPath(new URL('./function-process.ts', import.meta.url))

/** As Lambda gives it to every function, with an endpoint for DynamoDB. */
export const lambdaEnvironment = (endpoint: string): Record<string, string> => ({
  AWS_REGION: 'eu-west-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_SESSION_TOKEN: 'local',
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  AWS_ENDPOINT_URL_DYNAMODB: endpoint,
})

export interface DeployedFunction extends FunctionSettings {
  readonly environment: Record<string, string>
}

type Log = (line: string) => void

/**
 * Sends requests over a channel. Also returns the function that receives the channel's messages, the one that
 * fails all requests, and the promise of the start.
 */
const openConversation = (send: (invocation: Invocation) => void, log: Log) => {
  const waiting = new Map<number, (report: Report) => void>()
  const started = Promise.withResolvers<void>()
  const failAll = (failure: string): void => {
    started.reject(new Error(failure))
    for (const [number, settle] of waiting) settle({ number, failure })
  }
  // Only tests of the start wait for this promise.
  started.promise.catch(() => undefined)
  const receive = (report: Report): void => {
    if ('line' in report) log(report.line)
    else if ('started' in report) started.resolve()
    else waiting.get(report.number)?.(report)
  }
  let lastNumber = 0
  const handler: Handler = (event: APIGatewayProxyEvent) =>
    new Promise((resolve, reject) => {
      lastNumber += 1
      waiting.set(lastNumber, (report) => {
        if ('result' in report) resolve(report.result)
        else reject(report)
      })
      send({ number: lastNumber, event })
    })
  return { handler, receive, failAll, started: started.promise }
}

export const inWorker = ({ environment, ...settings }: DeployedFunction, log: Log) => {
  const worker = new Worker(script, { workerData: settings, env: environment })
  const { handler, receive, failAll } = openConversation((invocation) => worker.postMessage(invocation), log)
  worker.on('message', receive)
  worker.on('error', (error) => failAll(String(error)))
  return { handler, stop: () => worker.terminate() }
}

/** Resolves when the function has started. */
export const inProcess = async ({ environment, ...settings }: DeployedFunction, log: Log) => {
  const child: ChildProcess = fork(script, [JSON.stringify(settings)], { env: environment })
  const { handler, receive, failAll, started } = openConversation((invocation) => child.send(invocation), log)
  child.on('message', receive)
  child.on('exit', (code, signal) => failAll(`the function ended with ${code ?? signal}`))
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  await started
  return { handler, stop, signal: (name: NodeJS.Signals) => child.kill(name) }
}
