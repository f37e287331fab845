import { type ChildProcess, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { CommandError } from '../cli/command.ts'
import { engineFile, lockFolder, prepareFolder, removeDeleted } from './data-folder.ts'
import { isListening, type ListenAddress, unguessableAddress } from './loopback.ts'

/** The engine's version. `package.json` pins the same. */
export const ENGINE_VERSION = '1.2.1'
/** The platforms for which the engine has a package. `package.json` and its lock file have all of them. */
export const enginePlatforms = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-x64']

const START_TIMEOUT_MILLIS = 30_000
const STOP_TIMEOUT_MILLIS = 3_000

/** Speaks the DynamoDB protocol. */
export interface Engine {
  readonly endpoint: string
  readonly pid: number | undefined
  readonly ended: Promise<void>
  stop(): Promise<void>
}

/** A service or a database that this process has started, and can stop. */
export interface Stoppable {
  /** Undefined if an engine was already running. */
  readonly engine: Engine | undefined
  stop(): Promise<void>
}

const platform = `${process.platform}-${process.arch}`

/** Not installed for this platform, or none exists for it. */
export class MissingEngineError extends CommandError {
  /** The package to install, such as `@dynoxide/linux-x64@1.2.1`; undefined if the platform has no engine. */
  readonly installable: string | undefined

  constructor() {
    const exists = enginePlatforms.includes(platform)
    super(
      exists
        ? `the DynamoDB engine of this platform, @dynoxide/${platform}, is not installed`
        : `there is no DynamoDB engine for ${platform}, only for ${enginePlatforms.join(', ')}`,
    )
    this.installable = exists ? `@dynoxide/${platform}@${ENGINE_VERSION}` : undefined
  }
}

/** Throws MissingEngineError. */
const executable = (): string => {
  // The package is installed beside this module or in the project that this process was started in.
  const paths = [dirname(fileURLToPath(import.meta.url)), process.cwd()]
  try {
    const manifest = createRequire(import.meta.url).resolve(`@dynoxide/${platform}/package.json`, { paths })
    return join(dirname(manifest), process.platform === 'win32' ? 'dynoxide.exe' : 'dynoxide')
  } catch {
    throw new MissingEngineError()
  }
}

/**
 * A shell script that runs the engine, and kills it when the script's input ends. The system closes that
 * input when this process ends, even after kill -9. Only their owner can read the engine's files.
 */
const killWithParent = `umask 077
exec 3<&0
"$@" </dev/null 3<&- &
engine=$!
{ cat <&3 >/dev/null; kill $engine 2>/dev/null; } &
wait $engine`

/** Ends with this process. Throws MissingEngineError. */
const spawnEngine = (args: readonly string[]): ChildProcess => {
  const file = executable()
  const stdio: ['pipe', 'ignore', 'pipe'] = ['pipe', 'ignore', 'pipe']
  if (process.platform === 'win32') return spawn(file, args, { stdio })
  // Detached, since Ctrl-C would otherwise end the engine before the requests in progress are complete.
  return spawn('sh', ['-c', killWithParent, 'engine', file, ...args], { stdio, detached: true })
}

const observe = (child: ChildProcess) => {
  let errorOutput = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    errorOutput = (errorOutput + chunk.toString()).slice(-4_000)
  })
  // The shell's input is closed to end its background process, which keeps standard error open.
  child
    .once('exit', () => child.stdin?.end())
    .once('error', ({ message }) => {
      errorOutput += message
    })
  return {
    child,
    /** Its last line on standard error. */
    problem: (): string => errorOutput.trim().split('\n').at(-1) || 'it wrote nothing to standard error',
    ended: new Promise<void>((resolve) => child.once('close', () => resolve())),
  }
}

type EngineProcess = ReturnType<typeof observe>

const untilReady = async (
  { child, problem, ended }: EngineProcess,
  { host, port }: ListenAddress,
): Promise<void> => {
  const deadline = performance.now() + START_TIMEOUT_MILLIS
  for (;;) {
    const listening = await isListening(port, host)
    // Whether it has ended is checked after the port, since another process may be listening there.
    if (child.exitCode !== null || child.signalCode !== null) {
      await ended
      throw new CommandError(`the DynamoDB engine did not start: ${problem()}`)
    }
    if (listening) return
    if (performance.now() > deadline)
      throw new CommandError(
        `the DynamoDB engine did not respond at ${host}:${port} within ${START_TIMEOUT_MILLIS / 1000} s: ${problem()}`,
      )
    await pause(10)
  }
}

const stopEngineProcess = async ({ child, ended }: EngineProcess): Promise<void> => {
  child.stdin?.end()
  const timer = setTimeout(() => {
    try {
      if (child.pid) process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }, STOP_TIMEOUT_MILLIS)
  await ended
  clearTimeout(timer)
}

const run = async (args: readonly string[]): Promise<Engine> => {
  const { host, port } = await unguessableAddress()
  const engine = observe(spawnEngine(['serve', '--host', host, '--port', String(port), ...args]))
  const stop = () => stopEngineProcess(engine)
  try {
    await untilReady(engine, { host, port })
  } catch (error) {
    await stop()
    throw error
  }
  return { endpoint: `http://${host}:${port}`, pid: engine.child.pid, ended: engine.ended, stop }
}

export interface EngineOptions {
  /** Whether to remove deleted data from the database file first. */
  readonly clean?: boolean
  /** While another process has locked the folder; by default as long as a service waits. */
  readonly lockMillis?: number
}

const runOn = async (dataDir: string, { clean, lockMillis }: EngineOptions): Promise<Engine> => {
  prepareFolder(dataDir)
  const unlock = await lockFolder(dataDir, lockMillis)
  try {
    if (clean) await removeDeleted(dataDir)
    const engine = await run(['--db-path', engineFile(dataDir)])
    engine.ended.then(unlock)
    return engine
  } catch (error) {
    unlock()
    throw error
  }
}

/**
 * Accepts any request, so it listens at an address that no web page can guess. Its data are in `dataDir` or,
 * without one, in memory. Ends with this process. Throws CommandError if the folder is not writable or in use
 * by another service, if the engine fails or, as MissingEngineError, if it is not installed.
 */
export const startEngine = (dataDir?: string, options: EngineOptions = {}): Promise<Engine> =>
  dataDir === undefined ? run([]) : runOn(dataDir, options)
