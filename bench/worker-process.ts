import { type ChildProcess, execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Order } from './worker.ts'

const run = promisify(execFile)

/** A worker process. */
export interface Worker {
  /** Returns the processor time of doing the work once, in microseconds. */
  cpuOf(order: Order): Promise<number>
  end(): void
}

/** Starts a worker with this environment. Its log lines are discarded. */
export const startWorker = (env: NodeJS.ProcessEnv): Worker => {
  const child: ChildProcess = fork(resolve('bench/worker.ts'), {
    env,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  return {
    cpuOf: async (order) => {
      child.send(order)
      const [answer] = (await once(child, 'message')) as [{ micros?: number; error?: string }]
      if (answer.micros === undefined) throw new Error(answer.error)
      return answer.micros
    },
    end: () => {
      child.kill()
    },
  }
}

/** Runs a script in a new process and returns the number that it prints last. */
export const freshProcess = async (script: string, env: NodeJS.ProcessEnv): Promise<number> => {
  const { stdout } = await run(process.execPath, ['-e', script], { env })
  const value = Number(stdout.trim().split('\n').at(-1))
  if (!Number.isFinite(value)) throw new Error(`The process must print a number last (got ${stdout})`)
  return value
}
