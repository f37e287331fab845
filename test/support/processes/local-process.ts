import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Credentials } from '../../../shared/store/credentials.ts'
import { temporaryFolder } from './temporary-folder.ts'

export interface EndedProcess {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly out: string
  readonly err: string
}

export interface LocalProcess {
  readonly child: ChildProcess
  readonly baseUrl: string
  readonly demo: Credentials
  readonly out: () => string
  readonly err: () => string
  readonly ended: Promise<EndedProcess>
}

const children = new Set<ChildProcess>()

/** In `afterAll`. */
export const killLocalProcesses = (): void => {
  for (const { pid } of children) if (pid) process.kill(-pid, 'SIGKILL')
}

/** Port 0, for which the system chooses a free port at each start. */
export const freeSettings = () => ({ PORT: '0', DATA_DIR: join(temporaryFolder(), 'data') })

/** Without settings of the service, plus the variables in `env`. */
const cleanEnvironment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  const { HOST, TABLE_NAME, DYNAMODB_ENDPOINT, DYNAMODB_PORT, ...rest } = process.env
  return { ...rest, ...env }
}

/** By default with an empty demo application. Throws Error with the output if the service ends instead. */
export const startLocalProcess = async (
  env: NodeJS.ProcessEnv,
  args: readonly string[] = ['--empty'],
  [program, ...programArgs]: readonly [string, ...string[]] = [process.execPath, 'bin/local.ts'],
): Promise<LocalProcess> => {
  // In its own process group, like a command started in a terminal.
  const child = spawn(program, [...programArgs, ...args], {
    env: cleanEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  children.add(child)
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  const ended = new Promise<EndedProcess>((resolve) =>
    child.once('close', (code, signal) => {
      children.delete(child)
      resolve({ code, signal, out, err })
    }),
  )
  while (!out.includes('Ctrl-C')) {
    // `ended` resolves when all of the output is read.
    const hasEnded = child.exitCode !== null || child.signalCode !== null
    if (hasEnded) throw new Error(`the service ended: ${(await ended).err}`)
    await pause(10)
  }
  const printed = (label: string) => new RegExp(`^${label} +(\\S+)$`, 'm').exec(out)?.[1] as string
  const demo = { app_id: printed('Demo application id'), api_key: printed('Demo API key') }
  return { child, baseUrl: printed('Billing Data API'), demo, out: () => out, err: () => err, ended }
}

/** Kills the program after `timeout` milliseconds. */
export const runToEnd = (
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  { input = '', timeout = 60_000 } = {},
): Promise<EndedProcess> =>
  new Promise((resolve) => {
    const { stdin } = execFile(file, args, { env: cleanEnvironment(env), timeout }, (error, out, err) => {
      // The code is a text if the program could not be started, and absent if it was killed.
      const failureCode = typeof error?.code === 'number' ? error.code : null
      resolve({ code: error === null ? 0 : failureCode, signal: error?.signal ?? null, out, err })
    })
    stdin?.end(input)
  })
