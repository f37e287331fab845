import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { APIGatewayProxyEvent, Context } from 'aws-lambda'
import type { Handler } from '../../shared/http/serve.ts'

/** Runs one deployed bundle as Lambda does: its own modules, and an environment of nothing but what it is given. */

/** A request to the function, by a number that its answer carries. */
export interface Invocation {
  readonly number: number
  readonly event: APIGatewayProxyEvent
}

const { file, timeoutMillis } = workerData as { file: string; timeoutMillis: number }
// In order with the answers, so that a line is there when its request is answered.
process.stdout.write = (text: string | Uint8Array) => {
  parentPort?.postMessage({ line: String(text).trimEnd() })
  return true
}
const { handler } = createRequire(file)(file) as { handler: Handler }

parentPort?.on('message', async ({ number, event }: Invocation) => {
  const startedAt = performance.now()
  const context = {
    getRemainingTimeInMillis: () => Math.max(0, timeoutMillis - (performance.now() - startedAt)),
  } as Context
  try {
    parentPort?.postMessage({ number, result: await handler(event, context) })
  } catch (error) {
    parentPort?.postMessage({ number, failure: String(error) })
  }
})
