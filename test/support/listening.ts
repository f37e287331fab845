import type { ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { isListening } from '../../tools/local/loopback.ts'

const START_MILLIS = 60_000

/** Waits until a server that was started listens on its port. Throws if it ends, or after a minute. */
export const untilListening = async (server: ChildProcess, port: number): Promise<void> => {
  const deadline = performance.now() + START_MILLIS
  while (!(await isListening(port))) {
    if (server.exitCode !== null || performance.now() > deadline)
      throw new Error(`${server.spawnfile} did not start`)
    await pause(100)
  }
}
