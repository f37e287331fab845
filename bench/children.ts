import { type ChildProcess, execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Order } from './child.ts'

const run = promisify(execFile)

/** A child process that does work when it is told to. */
export interface Child {
  /** The processor time of one piece of the work, in microseconds. */
  cpuOf(order: Order): Promise<number>
  end(): void
}

/** Starts a child with this environment; what it writes (our log lines) goes nowhere. */
export const startChild = (env: NodeJS.ProcessEnv): Child => {
  const child: ChildProcess = fork(resolve('bench/child.ts'), {
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

/** Runs a script in a fresh process and returns the number that it prints last. */
export const freshProcess = async (script: string, env: NodeJS.ProcessEnv): Promise<number> => {
  const { stdout } = await run(process.execPath, ['-e', script], { env })
  const value = Number(stdout.trim().split('\n').at(-1))
  if (!Number.isFinite(value)) throw new Error(`A fresh process said: ${stdout}`)
  return value
}
