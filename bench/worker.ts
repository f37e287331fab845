import { createRequire } from 'node:module'
import type { APIGatewayProxyEvent } from 'aws-lambda'
import type { Handler } from '../shared/http/serve.ts'
import type { BareCommand } from './baseline.ts'
import { serveParent } from './child.ts'

/** The script of a worker process: does the work of one side and returns the processor time that it took. */

/** A request to one of our bundles, or a command through the baseline's. */
export type BenchWork =
  | { readonly side: 'ours'; readonly file: string; readonly event: APIGatewayProxyEvent }
  | {
      readonly side: 'bare'
      readonly file: string
      readonly command: BareCommand
      readonly input: Record<string, unknown>
    }

/** BenchWork to do `times` times. `FRESH` in it is replaced by a new id each time. */
export interface Job {
  readonly work: BenchWork
  readonly times: number
}

export const FRESH = 'fresh-id-of-22-letters'

const require = createRequire(import.meta.url)
const context = { getRemainingTimeInMillis: () => 6_000 } as never
let count = 0
const seed = process.pid.toString(36).padStart(8, '0').slice(-8)

const withFreshIds = <T>(value: T): T => {
  const text = JSON.stringify(value)
  if (!text.includes(FRESH)) return value
  count += 1
  return JSON.parse(text.replaceAll(FRESH, `${seed}${String(count).padStart(14, '0')}`)) as T
}

const ours = async ({ file, event }: Extract<BenchWork, { side: 'ours' }>): Promise<void> => {
  const { handler } = require(file) as { handler: Handler }
  const { statusCode, body } = await handler(event, context)
  if (statusCode !== 200) throw new Error(`${statusCode} ${body}`)
}

const bare = async ({ file, command, input }: Extract<BenchWork, { side: 'bare' }>): Promise<void> => {
  const { sendBare } = require(file) as typeof import('./baseline.ts')
  await sendBare(command, input as never)
}

const run = async ({ work, times }: Job): Promise<number> => {
  // Created before the measurement, since in reality the gateway or the caller creates them.
  const jobs = Array.from({ length: times }, () => withFreshIds(work))
  const before = process.cpuUsage()
  for (const job of jobs) await (job.side === 'ours' ? ours(job) : bare(job))
  const { user, system } = process.cpuUsage(before)
  return (user + system) / times
}

serveParent(run)
