import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { TestServiceOptions } from './options.ts'

/** The process of a test service. */

// The build of the package defines the path of its program; it is undefined in the source tree.
declare const TEST_SERVICE_PROGRAM: string | undefined

/** In the package or in the source tree. */
const programFile = (): string =>
  fileURLToPath(
    new URL(
      typeof TEST_SERVICE_PROGRAM === 'undefined' ? '../../bin/billing-data-api.ts' : TEST_SERVICE_PROGRAM,
      import.meta.url,
    ),
  )

/** An invalid Date is "Invalid Date", whereas JSON would turn it into null. */
export const nowText = (now: Date | string | undefined): string | undefined =>
  now instanceof Date ? (now.toJSON() ?? String(now)) : now

/** Its IPC channel closes when this process ends. Throws TypeError for a seed that JSON cannot express. */
export const startProgram = ({ port = 0, seed = {}, now, corsOrigin }: TestServiceOptions): ChildProcess => {
  const args = ['--quiet', '--port', String(port), '--seed', '-']
  const time = nowText(now)
  if (time !== undefined) args.push('--now', String(time))
  if (corsOrigin !== undefined) args.push('--cors-origin', corsOrigin)
  // Before the start, because the program would wait forever for its seed.
  const seedJson = JSON.stringify(seed)
  const child = fork(programFile(), args, { stdio: ['pipe', 'pipe', 'pipe', 'ipc'], execArgv: [] })
  child.stdin?.on('error', () => undefined).end(seedJson)
  return child
}

/** Throws Error with the program's standard error if it ends without a line. */
export const readFirstLine = async (child: ChildProcess): Promise<string> => {
  let errors = ''
  let hasStarted = false
  child.once('error', ({ message }) => {
    errors += message
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    if (hasStarted) process.stderr.write(chunk)
    else errors += chunk
  })
  const ended = once(child, 'close')
  for await (const line of createInterface(child.stdout!)) {
    hasStarted = true
    return line
  }
  await ended
  throw new Error(errors.trim().replace(/^billing-data-api: /, ''))
}

/** Lets this process end while its child runs. */
export const detach = (child: ChildProcess): void => {
  child.unref()
  // Bun's channel has no unref.
  child.channel?.unref?.()
  for (const stream of [child.stdout, child.stderr]) (stream as Socket).unref()
}

const STOP_TIMEOUT_MILLIS = 5_000

/** Asks it to stop and, if it does not, kills it after five seconds. */
export const stopProcess = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.ref()
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MILLIS)
  const ended = once(child, 'exit')
  if (child.connected) child.disconnect()
  await ended
  clearTimeout(timer)
}
