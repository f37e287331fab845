import { mkdirSync, readdirSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CommandError } from '../../tools/cli/command.ts'
import { lockFolder } from '../../tools/local/data-folder.ts'
import { type Engine, startEngine } from '../../tools/local/engine.ts'
import { isListening } from '../../tools/local/loopback.ts'
import { enginesOn } from '../support/processes/process-table.ts'
import { temporaryFolder } from '../support/processes/temporary-folder.ts'

/** The engines of a test. They are stopped even if it fails, because Jest would not end while they run. */
const running: Engine[] = []
afterEach(() => Promise.all(running.splice(0).map((engine) => engine.stop())))

const start: typeof startEngine = async (...settings) => {
  const engine = await startEngine(...settings)
  running.push(engine)
  return engine
}

const addressOf = ({ endpoint }: Engine): [port: number, host: string] => {
  const { hostname, port } = new URL(endpoint)
  return [Number(port), hostname]
}

const errorMessage = async (starting: Promise<unknown>): Promise<string> => {
  const error = await starting.catch((thrown: unknown) => thrown)
  if (!(error instanceof CommandError)) throw error
  return error.message
}

describe('an engine', () => {
  it('listens at an address that no web page can guess, until it is stopped once or twice', async () => {
    const [first, second] = await Promise.all([start(), start()])
    expect((await fetch(first.endpoint)).status).toBeLessThan(500)
    expect(first.pid).toBeGreaterThan(1)
    const [port, host] = addressOf(first)
    const [secondPort, secondHost] = addressOf(second)
    expect(port).not.toBe(secondPort)
    if (process.platform === 'linux') {
      expect(host).toMatch(/^127\./)
      expect(new Set([host, secondHost, '127.0.0.1']).size).toBe(3)
      expect(await isListening(port)).toBe(false)
    }
    await Promise.all([first.stop(), first.stop()])
    await first.ended
    expect(await isListening(...addressOf(first))).toBe(false)
    expect(await isListening(...addressOf(second))).toBe(true)
  })

  it('creates a folder that only its owner can read, and locks it', async () => {
    const folder = join(temporaryFolder(), 'a', 'b')
    await start(folder)
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['billing.db', 'lock.db']))
    const databaseFiles = ['', '-wal', '-shm'].map((suffix) => `${folder}/billing.db${suffix}`)
    for (const path of [folder, join(folder, '..'), ...databaseFiles]) {
      const rightsOfOthers = statSync(path).mode & 0o077
      expect({ path, rightsOfOthers }).toEqual({ path, rightsOfOthers: 0 })
    }
    expect(await errorMessage(lockFolder(folder, 0))).toBe(
      `the data folder "${folder}" is in use by another service; stop that one, or set DATA_DIR to another folder`,
    )
  })

  it('reports the reason why it cannot use its file, and leaves no process or lock behind', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'billing.db')
    mkdirSync(file)
    expect(await errorMessage(start(folder, { clean: true }))).toMatch(
      new RegExp(`^the database "${file}" cannot be used: \\S[^\n]*$`),
    )
    rmdirSync(file)
    writeFileSync(file, 'no database'.repeat(1_000))
    expect(await errorMessage(start(folder, { clean: true }))).toBe(
      `the database "${file}" cannot be used: file is not a database`,
    )
    expect(enginesOn(folder)).toEqual([])
    writeFileSync(file, '')
    await start(folder)
  })

  it('reports the output on standard error if it does not start', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'billing.db-wal'), { recursive: true })
    expect(await errorMessage(start(folder))).toMatch(
      /^the DynamoDB engine did not start: (?!it )\S[^\n]*\S$/,
    )
    expect(enginesOn(folder)).toEqual([])
  })

  it('starts on a full disk, with a warning that deleted data stay in the file', async () => {
    const folder = temporaryFolder()
    await (await start(folder)).stop()
    const warn = jest.spyOn(console, 'error').mockReturnValue()
    // The error of node:sqlite on a file system with 40 KB left.
    const diskIsFull = Object.assign(new Error('database or disk is full'), { errcode: 13 })
    const originalExec = DatabaseSync.prototype.exec
    const exec = jest.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (
      this: DatabaseSync,
      sql,
    ) {
      if (sql.startsWith('VACUUM')) throw diskIsFull
      originalExec.call(this, sql)
    })
    await start(folder, { clean: true })
    const warning = /^Warning: .* \(database or disk is full\): deleted data, .* stay in the file/
    expect(warn.mock.calls).toEqual([[expect.stringMatching(warning)]])
    exec.mockRestore()
    warn.mockRestore()
  })

  it('refuses a folder that it cannot create or write to', async () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    // In /proc, the system refuses to create a folder with the error that its parent does not exist.
    for (const folder of [file, join(file, 'data'), '/proc/nowhere', '/proc/no/where'])
      expect(await errorMessage(start(folder))).toBe(
        `cannot write to the data folder "${folder}"; set DATA_DIR to a writable folder, or use --memory`,
      )
  })
})
