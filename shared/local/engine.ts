import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, constants, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { connect, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { engineFile, StartError } from './settings.ts'

const VERSION = '1.2.1'
const START_MILLIS = 30_000

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

const prepare = (dataDir: string): string => {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    accessSync(dataDir, constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new StartError(
      `cannot write to the data folder "${dataDir}"; set DATA_DIR to one that can be written, or use --memory`,
      { cause },
    )
  }
  return engineFile(dataDir)
}

// The shell ends the engine when our end of its input closes, which happens however we end, kill -9 included.
const leash = '"$@" </dev/null & engine=$!; { cat >/dev/null; kill $engine 2>/dev/null; } & wait $engine'

const launch = (args: readonly string[]): ChildProcess => {
  const [file, ...before] = command()
  const all = [...before, ...args]
  const stdio = ['pipe', 'ignore', 'pipe'] as const
  if (process.platform === 'win32') return spawn(file, all, { stdio: [...stdio], shell: file === 'npx' })
  // A group of its own, so that Ctrl-C reaches us first and the engine ends after the last request.
  return spawn('sh', ['-c', `exec 3<&0; ${leash.replace('cat', 'cat <&3')}`, 'engine', file, ...all], {
    stdio: [...stdio],
    detached: true,
  })
}

const settled = async (child: ChildProcess, port: number, output: () => string): Promise<void> => {
  const deadline = performance.now() + START_MILLIS
  while (!(await isListening(port))) {
    const why = output().trim().split('\n').at(-1) || 'it said nothing'
    if (child.exitCode !== null || child.signalCode !== null)
      throw new StartError(`the DynamoDB engine did not start: ${why}`)
    if (performance.now() > deadline)
      throw new StartError(
        `the DynamoDB engine did not answer on port ${port} within ${START_MILLIS / 1000} s: ${why}`,
      )
    await pause(10)
  }
}

const stopper = (child: ChildProcess, ended: Promise<void>) => async () => {
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

/**
 * Starts the embedded engine on `port`, on a file in `dataDir` or in memory, and waits until it answers. It ends with
 * this process. Throws StartError, in one line, when the port is taken, the folder unwritable or the engine fails.
 */
export const startEngine = async (port: number, dataDir?: string): Promise<Engine> => {
  const file = dataDir === undefined ? [] : ['--db-path', prepare(dataDir)]
  if (await isListening(port))
    throw new StartError(
      `port ${port} is taken, which the DynamoDB engine needs; set DYNAMODB_PORT to a free one`,
    )
  const child = launch(['serve', '--port', String(port), ...file])
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-4_000)
  })
  const ended = new Promise<void>((resolve) => {
    child
      .once('close', () => resolve())
      .once('error', (error) => {
        said += error.message
        resolve()
      })
  })
  const stop = stopper(child, ended)
  try {
    await settled(child, port, () => said)
  } catch (error) {
    await stop()
    throw error
  }
  return { endpoint: `http://127.0.0.1:${port}`, pid: child.pid, ended, stop }
}
