import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { isListening } from '../../../tools/local/loopback.ts'

const textIfPresent = (file: string): string => {
  try {
    return readFileSync(file, 'utf8').replaceAll('\0', ' ')
  } catch {
    // The process has ended since it was listed.
    return ''
  }
}

/** Command and environment as text. Some minimal systems lack `ps`, and other systems lack `/proc`. */
const processes = (): (readonly [pid: string, text: string])[] => {
  if (existsSync('/proc/self/cmdline'))
    return readdirSync('/proc').map((pid) => [
      pid,
      textIfPresent(`/proc/${pid}/cmdline`) + textIfPresent(`/proc/${pid}/environ`),
    ])
  const text = execFileSync('ps', ['-axwwE', '-o', 'pid=,command='], { encoding: 'utf8' })
  return [...text.matchAll(/^ *(\d+) (.*)$/gm)].map(([, pid, command]) => [pid!, command!])
}

/** Not the shell that supervises an engine. The path of an engine may contain spaces. */
const isEngine = (command: string): boolean => /^(?!\S*sh -c ).*\/dynoxide serve /s.test(command)

/** Process ids, without the shells that supervise engines. */
export const enginesOn = (dataDir: string): number[] =>
  processes()
    .filter(([, text]) => isEngine(text) && text.includes(dataDir))
    .map(([pid]) => Number(pid))

const until = async (isOver: () => boolean | Promise<boolean>, problem: string): Promise<void> => {
  const deadline = performance.now() + 30_000
  while (!(await isOver())) {
    if (performance.now() > deadline) throw new Error(problem)
    await pause(20)
  }
}

/** Throws after 30 seconds. */
export const untilNoEngine = (dataDir: string): Promise<void> =>
  until(() => enginesOn(dataDir).length === 0, `an engine of ${dataDir} still runs`)

/** Throws after 30 seconds. */
export const untilPortIsFree = (port: number | string): Promise<void> =>
  until(async () => !(await isListening(Number(port))), `port ${port} is still in use`)
