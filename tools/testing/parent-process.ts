import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** How often this process checks that its starters are running. */
const CHECK_PERIOD_MILLIS = 500

/** Throws Error on a system with neither /proc nor ps. */
const parentOf = (pid: number): number => {
  try {
    // The second field is the command's name in parentheses, which can contain any character.
    const [, afterName = ''] = /^.*\)(.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return Number(afterName.trim().split(' ')[1])
  } catch {
    return Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }))
  }
}

/** The parent and, if that is a shell that npx runs, npx. */
const startersOf = (parent: number): number[] => {
  if (process.env.npm_command !== 'exec' || process.platform === 'win32') return [parent]
  try {
    return [parent, parentOf(parent)]
  } catch {
    // The parent of the parent is unknown.
    return [parent]
  }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Or has closed its IPC channel with this one. Does not keep this process alive. */
export const parentEnded = (): Promise<void> => {
  const parent = process.ppid
  const starters = startersOf(parent)
  return new Promise((resolve) => {
    process.once('disconnect', resolve)
    process.channel?.unref()
    const timer = setInterval(() => {
      // An orphan has another parent, except on Windows.
      if (process.ppid === parent && starters.every(isAlive)) return
      clearInterval(timer)
      resolve()
    }, CHECK_PERIOD_MILLIS).unref()
  })
}
