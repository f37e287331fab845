import { once } from 'node:events'
import { mkdirSync, readdirSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import getPort from 'get-port'
import { lockFolder } from '../../tools/local/data-folder.ts'
import { type Engine, isListening, startEngine } from '../../tools/local/engine.ts'
import { StartError } from '../../tools/local/settings.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const portOf = ({ endpoint }: Engine): number => Number(new URL(endpoint).port)

/** The message with which an engine refuses to start, or a folder to be locked. */
const refusal = async (start: Promise<unknown>): Promise<string> => {
  const error = await start.catch((thrown: unknown) => thrown)
  if (!(error instanceof StartError)) throw error
  return error.message
}

describe('an engine', () => {
  it('answers on a port of its own until it is stopped, once or twice', async () => {
    const [one, other] = await Promise.all([startEngine(0), startEngine(0)])
    expect(portOf(one)).not.toBe(portOf(other))
    expect((await fetch(one.endpoint)).status).toBeLessThan(500)
    expect(one.pid).toBeGreaterThan(1)
    await Promise.all([one.stop(), one.stop()])
    await one.ended
    expect(await isListening(portOf(one))).toBe(false)
    expect(await isListening(portOf(other))).toBe(true)
    await other.stop()
  })

  it('creates its folder for its owner alone, and locks it', async () => {
    const folder = join(temporaryFolder(), 'a', 'b')
    const engine = await startEngine(0, folder)
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['billing.db', 'lock.db']))
    for (const each of [folder, join(folder, '..')]) expect(statSync(each).mode & 0o077).toBe(0)
    expect(await refusal(lockFolder(folder, 0))).toBe(
      `the data folder "${folder}" is in use by another service; stop that one, or set DATA_DIR to another folder`,
    )
    await engine.stop()
  })

  it('releases its folder when it is stopped or killed', async () => {
    const folder = temporaryFolder()
    await (await startEngine(0, folder)).stop()
    const engine = await startEngine(0, folder)
    process.kill(-engine.pid!, 'SIGKILL')
    await engine.ended
    await engine.stop()
    const again = await startEngine(0, folder)
    expect(again.pid).not.toBe(engine.pid)
    await again.stop()
  })

  it('waits a moment for its port, then refuses', async () => {
    const port = await getPort()
    const server = createServer().listen(port, '127.0.0.1')
    await once(server, 'listening')
    const folder = temporaryFolder()
    // The deadline is a second after the first reading of the clock.
    jest.spyOn(performance, 'now').mockReturnValueOnce(0)
    expect(await refusal(startEngine(port, folder))).toBe(
      `port ${port}, which the DynamoDB engine needs, is taken; set DYNAMODB_PORT to a free one`,
    )
    server.once('connection', () => server.close())
    const engine = await startEngine(port, folder)
    expect(engine.endpoint).toBe(`http://127.0.0.1:${port}`)
    await engine.stop()
  })

  it('reports why it fails, and leaves neither a process nor a lock behind', async () => {
    const [folder, port] = [temporaryFolder(), await getPort()]
    mkdirSync(join(folder, 'billing.db'))
    expect(await refusal(startEngine(port, folder))).toMatch(
      /^the DynamoDB engine did not start: (?!it wrote)\S[^\n]*\S$/,
    )
    expect(await isListening(port)).toBe(false)
    rmdirSync(join(folder, 'billing.db'))
    writeFileSync(join(folder, 'billing.db'), 'no database'.repeat(1_000))
    expect(await refusal(startEngine(port, folder))).toMatch(/^the DynamoDB engine did not start: \S/)
    writeFileSync(join(folder, 'billing.db'), '')
    await (await startEngine(port, folder)).stop()
  })

  it('refuses a folder that it cannot create or write', async () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    // In /proc the system refuses to create a folder by saying that its parent does not exist.
    for (const folder of [file, join(file, 'data'), '/proc/nowhere', '/proc/no/where'])
      expect(await refusal(startEngine(0, folder))).toBe(
        `cannot write to the data folder "${folder}"; set DATA_DIR to a writable folder, or use --memory`,
      )
  })
})
