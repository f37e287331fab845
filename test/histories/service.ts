import { fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { prepareTable } from '../../tools/local/database.ts'
import { startEngine } from '../../tools/local/engine.ts'
import { HOLD_BACK_SECONDS, newNetwork, REQUEST_SECONDS } from './network.ts'
import type { Random } from './random.ts'

const HOUR = 3_600_000

/** How long processes use a key that they have looked up, in milliseconds. */
export const KEY_CACHE_MILLIS = 500

/** A process of the service. It is killed and started again, at another address. */
export interface ServiceProcess {
  readonly name: string
  /** Whether it updates customers as the release before did. */
  readonly isReleased: boolean
  readonly url: () => Promise<string>
}

/**
 * Starts an engine and processes of the service at `bundle`, which are killed from time to time, and in the
 * end by `kill`.
 */
export const startProcesses = async (bundle: string, random: Random) => {
  const engine = await startEngine()
  await prepareTable(engine.endpoint, 'histories')
  const network = newNetwork(engine.endpoint, random)
  let kills = 0
  let isOver = false

  const start = async (name: string, isReleased: boolean) => {
    const choices = random.forTask(`process ${name}`)
    const proxy = await network.connect(name)
    const launch = () => {
      const env = {
        ...process.env,
        DYNAMODB_ENDPOINT: proxy.endpoint,
        TABLE_NAME: 'histories',
        HOLD_BACK_SECONDS: String(HOLD_BACK_SECONDS),
        CLOCK_AHEAD: String(choices.choose(-HOUR, 0, HOUR)),
        KEY_CACHE: String(KEY_CACHE_MILLIS),
        // Processes start in half the time if Node does not compile the same bundle again.
        NODE_COMPILE_CACHE: resolve('node_modules/.cache/node'),
        REQUEST_MILLIS: String(REQUEST_SECONDS * 1_000),
        RELEASED: isReleased ? '0.2.0' : '',
      }
      const child = fork(bundle, { env, execArgv: [] })
      const ended = once(child, 'exit').then(([code]) => {
        if (code) throw new Error(`process ${name} ended with ${code}`)
        return ''
      })
      const url = Promise.race([once(child, 'message').then(([text]) => text as string), ended])
      return { child, url }
    }
    let running = launch()
    const killAgain = async (): Promise<void> => {
      await pause(6_000 + choices.number(18_000))
      if (isOver) return
      running.child.kill('SIGKILL')
      kills += 1
      running = launch()
      await running.url
      await killAgain()
    }
    void killAgain()
    const kill = () => running.child.kill('SIGKILL')
    return { name, isReleased, url: () => running.url, kill }
  }

  const processes = await Promise.all([start('A', false), start('B', false), start('0.2.0', true)])
  const kill = async (): Promise<void> => {
    isOver = true
    for (const process of processes) process.kill()
    await engine.stop()
  }
  return { processes, counts: () => ({ ...network.counts, killed: kills }), kill }
}
