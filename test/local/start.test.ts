import { once } from 'node:events'
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { isListening, startEngine } from '../../tools/local/engine.ts'
import {
  cleanUp,
  failToStart,
  freeSettings,
  type LocalProcess,
  newFolder,
  runToEnd,
  startLocal,
} from '../support/local-process.ts'
import { enginesOn } from '../support/processes.ts'

afterAll(cleanUp)

const list = async ({ baseUrl, demo }: LocalProcess, path = '/api/products') => {
  const headers = { authorization: `Bearer ${demo.api_key}`, 'x-app-id': demo.app_id }
  const response = await fetch(baseUrl + path, { headers })
  return {
    status: response.status,
    json: (await response.json()) as { data: Record<string, { id: string }[]> },
  }
}

const curlLine = ({ out }: LocalProcess) =>
  out()
    .split('\n')
    .find((line) => line.startsWith('curl ')) as string

const stop = async ({ child, ended }: LocalProcess, signal: NodeJS.Signals = 'SIGTERM') => {
  child.kill(signal)
  return ended
}

describe('the local service', () => {
  it('prints a curl line that works when pasted, keeps what it acknowledged and its demo application', async () => {
    const env = await freeSettings()
    const first = await startLocal(env)
    const pasted = await runToEnd('sh', ['-c', curlLine(first)])
    expect(JSON.parse(pasted.out)).toEqual({
      data: { product: { id: expect.stringMatching(/^prod_/), name: 'Basic plan' } },
    })
    expect(await stop(first)).toMatchObject({ code: 0, err: '' })
    expect(await isListening(Number(env.DYNAMODB_PORT))).toBe(false)
    expect(await isListening(Number(env.PORT))).toBe(false)

    const second = await startLocal(env)
    expect(second.demo).toEqual(first.demo)
    expect((await list(second)).json.data.products).toEqual([JSON.parse(pasted.out).data.product])
    expect(await stop(second, 'SIGINT')).toMatchObject({ code: 0, err: '' })
    // The key in the clear is its owner's alone.
    expect(statSync(join(env.DATA_DIR, 'demo-application.json')).mode & 0o077).toBe(0)
    expect(statSync(env.DATA_DIR).mode & 0o077).toBe(0)
  })

  it('answers what is on its way before it ends, and ends once however often it is asked', async () => {
    const service = await startLocal(await freeSettings())
    const slow = request(`${service.baseUrl}/api/products`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${service.demo.api_key}`,
        'x-app-id': service.demo.app_id,
        expect: '100-continue',
      },
    })
    slow.flushHeaders()
    await once(slow, 'continue')
    for (const signal of ['SIGINT', 'SIGINT', 'SIGTERM'] as const) service.child.kill(signal)
    slow.end(JSON.stringify({ id: 1, name: 'On its way' }))
    const [answer] = (await once(slow, 'response')) as [IncomingMessage]
    expect(answer.statusCode).toBe(200)
    answer.resume()
    expect(await service.ended).toMatchObject({ code: 0, err: '' })
  })

  it('keeps nothing with --memory and leaves no folder', async () => {
    const env = await freeSettings()
    const first = await startLocal(env, ['--memory'])
    await runToEnd('sh', ['-c', curlLine(first)])
    expect((await list(first)).json.data.products).toHaveLength(1)
    await stop(first)
    const second = await startLocal(env, ['--memory'])
    expect((await list(second)).json.data.products).toEqual([])
    expect(second.demo).not.toEqual(first.demo)
    await stop(second)
    expect(() => readdirSync(env.DATA_DIR)).toThrow('ENOENT')
  })

  it('uses another engine at DYNAMODB_ENDPOINT, which it does not end, with a demo application of its own', async () => {
    const env = await freeSettings()
    const engine = await startEngine(0)
    const own = await startLocal(env)
    await stop(own)
    const elsewhere = { ...env, DYNAMODB_ENDPOINT: engine.endpoint }
    const first = await startLocal(elsewhere)
    expect(await isListening(Number(env.DYNAMODB_PORT))).toBe(false)
    expect((await list(first)).status).toBe(200)
    await stop(first)
    const second = await startLocal({ ...elsewhere, DATA_DIR: env.DATA_DIR })
    expect(second.demo).toEqual(first.demo)
    await stop(second)
    expect(await isListening(Number(new URL(engine.endpoint).port))).toBe(true)
    await engine.stop()
    const again = await startLocal(env)
    expect(again.demo).toEqual(own.demo)
    await stop(again)
  })

  it('ends when its engine does, and says so', async () => {
    const env = await freeSettings()
    const service = await startLocal(env)
    const engines = enginesOn(env.DYNAMODB_PORT)
    expect(engines).toHaveLength(1)
    for (const { pid } of engines) process.kill(pid, 'SIGKILL')
    expect(await service.ended).toMatchObject({ code: 1, err: 'Ended: the DynamoDB engine has stopped.\n' })
  })
})

describe('what cannot start', () => {
  const oneLine = (what: RegExp) => ({
    code: 1,
    out: '',
    err: expect.stringMatching(new RegExp(`^Not started: [^\\n]*${what.source}[^\\n]*\\.\\n$`)),
  })

  it('says in one line that a port is taken, and leaves no engine behind', async () => {
    const env = await freeSettings()
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const taken = String((other.address() as AddressInfo).port)
    expect(await failToStart({ ...env, PORT: taken })).toEqual(
      expect.objectContaining(oneLine(/port \d+ is taken; set PORT/)),
    )
    expect(await isListening(Number(env.DYNAMODB_PORT))).toBe(false)
    expect(await failToStart({ ...env, DYNAMODB_PORT: taken })).toEqual(
      expect.objectContaining(oneLine(/port \d+ is taken.*DYNAMODB_PORT/)),
    )
    other.close()
  })

  it('says in one line that it cannot write to its folder', async () => {
    const env = await freeSettings()
    const file = join(newFolder(), 'file')
    writeFileSync(file, '')
    // In /proc nobody makes a folder, and the system says that there is none of the one to make it in.
    for (const DATA_DIR of [file, join(file, 'data'), '/proc/nowhere', '/proc/no/where']) {
      expect(await failToStart({ ...env, DATA_DIR })).toEqual(
        expect.objectContaining(oneLine(/cannot write to the data folder/)),
      )
      const elsewhere = { ...env, DATA_DIR, DYNAMODB_ENDPOINT: `http://127.0.0.1:${env.DYNAMODB_PORT}` }
      expect((await failToStart(elsewhere)).err).toMatch(/^Not started: [^\n]+\n$/)
    }
  })

  it('says in one line that its engine did not start', async () => {
    const env = await freeSettings()
    mkdirSync(join(env.DATA_DIR, 'billing.db'), { recursive: true })
    expect(await failToStart(env)).toEqual(expect.objectContaining(oneLine(/engine did not start/)))
  })

  it('says in one line that its data are no database', async () => {
    const env = await freeSettings()
    mkdirSync(env.DATA_DIR, { recursive: true })
    writeFileSync(join(env.DATA_DIR, 'billing.db'), 'nonsense'.repeat(1_000))
    expect(await failToStart(env)).toEqual(expect.objectContaining(oneLine(/engine/)))
  })

  it('says in one line that nothing is at DYNAMODB_ENDPOINT', async () => {
    const env = await freeSettings()
    const nowhere = `http://127.0.0.1:${env.DYNAMODB_PORT}`
    expect(await failToStart({ ...env, DYNAMODB_ENDPOINT: nowhere })).toEqual(
      expect.objectContaining(oneLine(/engine at .* does not work/)),
    )
    expect(await failToStart({ ...env, DYNAMODB_ENDPOINT: 'nonsense' })).toEqual(
      expect.objectContaining(oneLine(/DYNAMODB_ENDPOINT/)),
    )
  })

  it('says in one line what it does not understand', async () =>
    expect(await failToStart({}, ['--memry'])).toEqual(
      expect.objectContaining(oneLine(/unknown argument "--memry"/)),
    ))

  it('is a second service on the same folder, also at the same time', async () => {
    const env = await freeSettings()
    const first = await startLocal(env)
    const others = { PORT: '0', DYNAMODB_PORT: '0', DATA_DIR: env.DATA_DIR }
    expect(await failToStart(others)).toEqual(expect.objectContaining(oneLine(/in use by another service/)))
    expect((await list(first)).status).toBe(200)
    await stop(first)
    const both = await Promise.allSettled([startLocal(others), startLocal(others)])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    for (const each of both) if (each.status === 'fulfilled') await stop(each.value)
  })
})
