import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { ENTRY_FILE } from '../lib/bundle/bundle.ts'
import { type BenchWork, FRESH } from './worker.ts'

export const freshProcess = async <Value>(script: string, env: NodeJS.ProcessEnv): Promise<Value> => {
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { env })
  return JSON.parse(stdout.trim().split('\n').at(-1)!) as Value
}

/** The times of a cold process, in milliseconds. */
export interface ColdTimes {
  /** Of the code, with the warm-up if it has one. */
  readonly load: number
  readonly first: number
}

/** Two JavaScript expressions: one loads a side's code as Lambda does, one serves a request. */
const loadAndCall = (work: BenchWork): [load: string, call: string] =>
  work.side === 'ours'
    ? [
        `import(${JSON.stringify(join(dirname(work.file), ENTRY_FILE))})`,
        `loaded.handler(${JSON.stringify(work.event)}, { getRemainingTimeInMillis: () => 6000 })`,
      ]
    : [
        `require(${JSON.stringify(work.file)})`,
        `loaded.send(${JSON.stringify(work.command)}, ${JSON.stringify(work.input)})`,
      ]

export const coldProcess = (work: BenchWork, env: NodeJS.ProcessEnv): Promise<ColdTimes> => {
  const [load, call] = loadAndCall(work)
  // Lambda's runtime is an ES module, so the module loader is initialised before the measurement.
  const script = `const timed = async (work) => {
      const start = performance.now()
      const result = await work()
      return [performance.now() - start, result]
    }
    const main = async () => {
      await import('node:fs')
      const [load, loaded] = await timed(async () => ${load})
      const [first, { statusCode = 200 }] = await timed(() => ${call})
      if (statusCode !== 200) throw new Error('The response was ' + statusCode)
      console.log('\\n' + JSON.stringify({ load, first }))
      process.exit()
    }
    main()`
  return freshProcess(script.replaceAll(FRESH, randomUUID().slice(0, FRESH.length)), env)
}
