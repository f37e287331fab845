import { mkdirSync, readdirSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type Engine, freePort, isListening, startEngine } from '../../tools/local/engine.ts'
import { StartError } from '../../tools/local/settings.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const portOf = ({ endpoint }: Engine): number => Number(new URL(endpoint).port)

/** What is said where an engine must not start. */
const refusal = async (port: number, dataDir?: string): Promise<string> => {
  const error = await startEngine(port, dataDir).then(
    (engine) => engine.stop(),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof StartError)) throw error ?? new Error('The engine started')
  return error.message
}

const listenOn = (port: number) =>
  new Promise<ReturnType<typeof createServer>>((resolve) => {
    const server = createServer().listen(port, '127.0.0.1', () => resolve(server))
  })

describe('a port', () => {
  it('listens or does not', async () => {
    const port = await freePort()
    expect(port).toBeGreaterThan(1_023)
    expect(await isListening(port)).toBe(false)
    const server = await listenOn(port)
    expect(await isListening(port)).toBe(true)
    await new Promise((resolve) => server.close(resolve))
    expect(await isListening(port)).toBe(false)
  })
})

describe('an engine', () => {
  it('answers on a port of its own until it is stopped, as often as it is asked to', async () => {
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

  it('keeps its file in a folder that it makes, its owner alone has, and one engine at a time', async () => {
    const folder = join(temporaryFolder(), 'a', 'b')
    const engine = await startEngine(0, folder)
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['billing.db', 'lock.db']))
    for (const each of [folder, join(folder, '..')]) expect(statSync(each).mode & 0o077).toBe(0)
    expect(await refusal(0, folder)).toBe(
      `the data folder "${folder}" is in use by another service; end that one, or set DATA_DIR to another folder`,
    )
    await engine.stop()
    await (await startEngine(0, folder)).stop()
  })

  it('that was killed has ended, and lets go of its folder', async () => {
    const folder = temporaryFolder()
    const engine = await startEngine(0, folder)
    process.kill(-engine.pid!, 'SIGKILL')
    await engine.ended
    await engine.stop()
    const again = await startEngine(0, folder)
    expect(again.pid).not.toBe(engine.pid)
    await again.stop()
  })

  it('waits a moment for its port, and then says that it is taken', async () => {
    const port = await freePort()
    const server = await listenOn(port)
    const folder = temporaryFolder()
    expect(await refusal(port, folder)).toBe(
      `port ${port} is taken, which the DynamoDB engine needs; set DYNAMODB_PORT to a free one`,
    )
    setTimeout(() => server.close(), 200)
    const engine = await startEngine(port, folder)
    expect(engine.endpoint).toBe(`http://127.0.0.1:${port}`)
    await engine.stop()
  })

  it('that fails says why, and leaves neither itself nor its lock behind', async () => {
    const [folder, port] = [temporaryFolder(), await freePort()]
    mkdirSync(join(folder, 'billing.db'))
    expect(await refusal(port, folder)).toMatch(/^the DynamoDB engine did not start: \S[^\n]*\S$/)
    expect(await refusal(port, folder)).not.toMatch(/it said nothing/)
    expect(await isListening(port)).toBe(false)
    rmdirSync(join(folder, 'billing.db'))
    await (await startEngine(port, folder)).stop()
  })

  it('is not started where its folder cannot be', async () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    for (const folder of [file, join(file, 'data')])
      expect(await refusal(0, folder)).toBe(
        `cannot write to the data folder "${folder}"; set DATA_DIR to one that can be written, or use --memory`,
      )
  })
})
