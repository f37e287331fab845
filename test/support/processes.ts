import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { isListening } from '../../tools/local/engine.ts'

export interface Process {
  readonly pid: number
  readonly command: string
}

const commandOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    // The process has ended since it was listed.
    return ''
  }
}

const all = (): Process[] => {
  // Minimal systems have no `ps`, others no `/proc`.
  if (existsSync('/proc/self/cmdline'))
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => ({ pid: Number(pid), command: commandOf(pid) }))
  const lines = execFileSync('ps', ['-axo', 'pid=,args='], { encoding: 'utf8' }).split('\n')
  return lines.map((line) => {
    const [, pid, command = ''] = /^ *(\d+) (.*)$/.exec(line) ?? []
    return { pid: Number(pid), command }
  })
}

/** Returns the engine processes that serve on `port`, without the shell that supervises them. */
export const enginesOn = (port: string): Process[] =>
  all().filter(({ command }) => command.includes(`serve --port ${port}`) && !command.startsWith('sh '))

/** Waits until nothing listens on a local port. Throws after 30 seconds. */
export const untilFree = async (port: number | string): Promise<void> => {
  const deadline = performance.now() + 30_000
  while (await isListening(Number(port))) {
    if (performance.now() > deadline) throw new Error(`port ${port} is still in use`)
    await pause(20)
  }
}
