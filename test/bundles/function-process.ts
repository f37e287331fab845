import { parentPort, workerData } from 'node:worker_threads'
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda'
import type { Handler } from '../../shared/http/serve.ts'

/**
 * Runs one bundled function as Lambda does: loads its entry, then handles requests. It is a worker or a child
 * process.
 */

export interface FunctionSettings {
  readonly file: string
  readonly timeoutMillis: number
}

/** Its response repeats the number. */
export interface Invocation {
  readonly number: number
  readonly event: APIGatewayProxyEvent
}

/** A log line, the message that it has started, or the response to a request. */
export type Report =
  | { readonly line: string }
  | { readonly started: true }
  | { readonly number: number; readonly result: APIGatewayProxyResult }
  | { readonly number: number; readonly failure: string }

const { file, timeoutMillis } = (workerData ?? JSON.parse(process.argv[2] as string)) as FunctionSettings
const report = (message: Report): void => {
  if (parentPort) parentPort.postMessage(message)
  else process.send?.(message)
}
// Log lines use the channel of the responses, so that the line of a request arrives before its response.
process.stdout.write = (text: string | Uint8Array) => {
  report({ line: String(text).trimEnd() })
  return true
}

const { handler } = (await import(file)) as { handler: Handler }
report({ started: true })

const run = async ({ number, event }: Invocation): Promise<void> => {
  const startedAt = performance.now()
  const context = {
    getRemainingTimeInMillis: () => Math.max(0, timeoutMillis - (performance.now() - startedAt)),
  } as Context
  try {
    report({ number, result: await handler(event, context) })
  } catch (error) {
    report({ number, failure: String(error) })
  }
}
if (parentPort) parentPort.on('message', run)
else process.on('message', run)
