import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { ENTRY } from '../lib/bundle/bundle.ts'
import { FRESH, type Work } from './child.ts'
import type { Quota, Setting } from './quota.ts'

const run = promisify(execFile)

/** A cold process, in milliseconds. */
export interface Cold {
  /** Loading the code, and warming up where the code does that. */
  readonly load: number
  /** The first answer after that. */
  readonly first: number
  /** A later one, the median of some; 0 where none was asked for. */
  readonly warm: number
}

/** How a process runs: with what of the processor, in which environment, and for how many answers after the first. */
export interface Circumstances {
  readonly quota?: Quota
  /** Of one core from the moment the code is loaded; all of it before. */
  readonly share: number
  readonly env: NodeJS.ProcessEnv
  readonly warmAnswers?: number
}

const write = ({ file, text }: Setting): string =>
  `writeFileSync(${JSON.stringify(file)}, ${JSON.stringify(text)})`

/** What loads a side's code as Lambda does, and what answers one request. */
const loadAndCall = (work: Work): [load: string, call: string] =>
  work.side === 'ours'
    ? [
        `import(${JSON.stringify(join(dirname(work.file), ENTRY))})`,
        `loaded.handler(${JSON.stringify(work.event)}, { getRemainingTimeInMillis: () => 6000 })`,
      ]
    : [
        `require(${JSON.stringify(work.file)})`,
        `loaded.send(${JSON.stringify(work.command)}, ${JSON.stringify(work.input)})`,
      ]

/** Loads a side's code in a fresh process and has it answer. Pauses before the warm answers let the share refill. */
export const coldProcess = async (
  work: Work,
  { quota, share, env, warmAnswers = 0 }: Circumstances,
): Promise<Cold> => {
  const [load, call] = loadAndCall(work)
  // Lambda's runtime is an ES module, so what loads those is there before the clock starts.
  const script = `const timed = async (work) => {
      const start = performance.now()
      const result = await work()
      return [performance.now() - start, result]
    }
    const main = async () => {
      const { writeFileSync } = await import('node:fs')
      ${quota ? `${write(quota.setting(1))}; writeFileSync(${JSON.stringify(quota.members)}, String(process.pid))` : ''}
      const [load, loaded] = await timed(async () => ${load})
      ${quota ? write(quota.setting(share)) : ''}
      const answer = () => timed(() => ${call})
      const [first, { statusCode = 200 }] = await answer()
      if (statusCode !== 200) throw new Error('The answer was ' + statusCode)
      const times = []
      while (times.length < ${warmAnswers}) {
        await new Promise((resolve) => setTimeout(resolve, 25))
        times.push((await answer())[0])
      }
      const warm = times.sort((a, b) => a - b)[times.length >> 1] ?? 0
      console.log('\\n' + JSON.stringify({ load, first, warm }))
      process.exit()
    }
    main()`
  const fresh = script.replaceAll(FRESH, randomUUID().slice(0, FRESH.length))
  const { stdout } = await run(process.execPath, ['-e', fresh], { env })
  return JSON.parse(stdout.trim().split('\n').at(-1) as string)
}
