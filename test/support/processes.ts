import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { isListening } from '../../tools/local/engine.ts'

const commandOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    // The process has ended since it was listed.
    return ''
  }
}

/** The ids and commands of all processes. Minimal systems have no `ps`, others no `/proc`. */
const processes = (): (readonly [pid: string, command: string])[] => {
  if (existsSync('/proc/self/cmdline')) return readdirSync('/proc').map((pid) => [pid, commandOf(pid)])
  const text = execFileSync('ps', ['-axo', 'pid=,args='], { encoding: 'utf8' })
  return [...text.matchAll(/^ *(\d+) (.*)$/gm)].map(([, pid, command]) => [pid!, command!])
}

/** Returns the ids of the engine processes that serve on `port`, without the shell that supervises them. */
export const enginesOn = (port: string): number[] =>
  processes()
    .filter(([, command]) => command.includes(`serve --port ${port}`) && !command.startsWith('sh '))
    .map(([pid]) => Number(pid))

/** Waits until nothing listens on a local port. Throws after 30 seconds. */
export const untilFree = async (port: number | string): Promise<void> => {
  const deadline = performance.now() + 30_000
  while (await isListening(Number(port))) {
    if (performance.now() > deadline) throw new Error(`port ${port} is still in use`)
    await pause(20)
  }
}
