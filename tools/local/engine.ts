import { type ChildProcess, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { connect, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { lockFolder, prepareFolder } from './folder.ts'
import { engineFile, StartError } from './settings.ts'

const VERSION = '1.2.1'
const START_MILLIS = 30_000
const GRACE_MILLIS = 1_000

/** A running engine that speaks the DynamoDB protocol. */
export interface Engine {
  readonly endpoint: string
  readonly pid: number | undefined
  /** Resolves when the engine has ended, whoever ended it. */
  readonly ended: Promise<void>
  stop(): Promise<void>
}

/** The engine's command: the binary of this platform's package, else npx fetches the pinned version. */
const command = (): [string, ...string[]] => {
  const own = `@dynoxide/${process.platform}-${process.arch}/package.json`
  // Beside this module, where a package manager puts it for us, or where we were started.
  const paths = [dirname(fileURLToPath(import.meta.url)), process.cwd()]
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(own, { paths }))
    return [join(folder, process.platform === 'win32' ? 'dynoxide.exe' : 'dynoxide')]
  } catch {
    return ['npx', '--yes', `dynoxide@${VERSION}`]
  }
}

/** Whether something listens on a local port. */
export const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    const settle = (listening: boolean) => {
      socket.destroy()
      resolve(listening)
    }
    socket.once('connect', () => settle(true)).once('error', () => settle(false))
  })

/** A port that is free now. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

// The shell ends the engine when our end of its input closes, which happens however we end, kill -9 included.
const leash = `exec 3<&0
"$@" </dev/null 3<&- &
engine=$!
{ cat <&3 >/dev/null; kill $engine 2>/dev/null; } &
wait $engine`

const launch = (args: readonly string[]): ChildProcess => {
  const [file, ...before] = command()
  const all = [...before, ...args]
  const stdio = ['pipe', 'ignore', 'pipe'] as const
  if (process.platform === 'win32') return spawn(file, all, { stdio: [...stdio], shell: file === 'npx' })
  // A group of its own, so that Ctrl-C reaches us first and the engine ends after the last request.
  return spawn('sh', ['-c', leash, 'engine', file, ...all], {
    stdio: [...stdio],
    detached: true,
  })
}

/** A process of the engine: what it has said last, and when it has ended. */
interface Running {
  readonly child: ChildProcess
  readonly said: () => string
  readonly ended: Promise<void>
}

const watched = (child: ChildProcess): Running => {
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-4_000)
  })
  // Ending its input lets go of the rest of the leash, which holds the output open.
  child
    .once('exit', () => child.stdin?.end())
    .once('error', ({ message }) => {
      said += message
    })
  return {
    child,
    said: () => said.trim().split('\n').at(-1) || 'it said nothing',
    ended: new Promise((resolve) => child.once('close', () => resolve())),
  }
}

const settled = async ({ child, said, ended }: Running, port: number): Promise<void> => {
  const deadline = performance.now() + START_MILLIS
  for (;;) {
    const listening = await isListening(port)
    // Asked after the port: another engine may have taken it in between.
    if (child.exitCode !== null || child.signalCode !== null) {
      await ended
      throw new StartError(`the DynamoDB engine did not start: ${said()}`)
    }
    if (listening) return
    if (performance.now() > deadline)
      throw new StartError(
        `the DynamoDB engine did not answer on port ${port} within ${START_MILLIS / 1000} s: ${said()}`,
      )
    await pause(10)
  }
}

/** Waits until nothing listens on a port, for the engine of a service that was killed lives a moment longer. */
const untilFree = async (port: number): Promise<void> => {
  const deadline = performance.now() + GRACE_MILLIS
  while (await isListening(port)) {
    if (performance.now() > deadline)
      throw new StartError(
        `port ${port} is taken, which the DynamoDB engine needs; set DYNAMODB_PORT to a free one`,
      )
    await pause(20)
  }
}

const stopper =
  ({ child, ended }: Running) =>
  async () => {
    child.stdin?.end()
    const late = setTimeout(() => {
      try {
        if (child.pid) process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL')
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
      }
    }, 3_000)
    await ended
    clearTimeout(late)
  }

const run = async (port: number, args: readonly string[]): Promise<Engine> => {
  const running = watched(launch(['serve', '--port', String(port), ...args]))
  const stop = stopper(running)
  try {
    await settled(running, port)
  } catch (error) {
    await stop()
    throw error
  }
  return { endpoint: `http://127.0.0.1:${port}`, pid: running.child.pid, ended: running.ended, stop }
}

/**
 * Starts the embedded engine on `port` (0 for any free one), on a file in `dataDir` or in memory, and waits until it
 * answers. It ends with this process. Throws StartError, in one line, when the port is taken, the folder cannot be
 * written or belongs to another service, or the engine fails.
 */
export const startEngine = async (port: number, dataDir?: string): Promise<Engine> => {
  if (dataDir !== undefined) prepareFolder(dataDir)
  const unlock = dataDir === undefined ? () => undefined : await lockFolder(dataDir)
  try {
    if (port !== 0) await untilFree(port)
    const engine = await run(
      port || (await freePort()),
      dataDir === undefined ? [] : ['--db-path', engineFile(dataDir)],
    )
    engine.ended.then(unlock)
    return engine
  } catch (error) {
    unlock()
    throw error
  }
}
