import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { isListening } from '../../tools/local/engine.ts'
import { upTo } from '../support/lists.ts'
import {
  cleanUp,
  failToStart,
  freeSettings,
  type LocalProcess,
  runToEnd,
  startLocal,
} from '../support/local-process.ts'
import { enginesOn, untilFree } from '../support/processes.ts'
import { runs } from '../support/runs.ts'

afterAll(cleanUp)

const headersOf = ({ demo }: LocalProcess) => ({
  authorization: `Bearer ${demo.api_key}`,
  'x-app-id': demo.app_id,
  'content-type': 'application/json',
})

const list = async (service: LocalProcess, path = '/api/products') => {
  const response = await fetch(service.baseUrl + path, { headers: headersOf(service) })
  const { data } = (await response.json()) as { data: Record<string, { id: string }[]> }
  return Object.values(data)[0]!
}

/** Runs the curl command that the service prints. */
const paste = async ({ out }: LocalProcess) => {
  const line = /^curl .*$/m.exec(out())?.[0] as string
  return JSON.parse((await runToEnd('sh', ['-c', line])).out)
}

const stop = async ({ child, ended }: LocalProcess, signal: NodeJS.Signals = 'SIGTERM') => {
  child.kill(signal)
  return ended
}

/** Creates products until the service is gone. Adds the ids of acknowledged ones to `acknowledged`. */
const write = async (service: LocalProcess, name: string, acknowledged: string[]): Promise<void> => {
  for (let number = 0; ; number += 1) {
    const id = `${name}-${number}`
    const body = JSON.stringify({ id, name: id })
    const answer = await fetch(`${service.baseUrl}/api/products`, {
      method: 'POST',
      headers: headersOf(service),
      body,
    })
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch(() => undefined)
    if (!answer) return
    if (answer.status === 200) acknowledged.push(id)
  }
}

const killed = async ({ child, ended }: LocalProcess) => {
  child.kill('SIGKILL')
  expect(await ended).toMatchObject({ signal: 'SIGKILL', err: '' })
}

const signals: [string, (service: LocalProcess) => void][] = [
  ['a SIGTERM to npm', ({ child }) => child.kill('SIGTERM')],
  ['Ctrl-C, which the terminal sends to every process', ({ child }) => process.kill(-child.pid!, 'SIGINT')],
]

describe('npm start', () => {
  it('prints a curl command that works, and keeps data and demo application for the next start', async () => {
    const env = await freeSettings()
    const first = await startLocal(env)
    const { data } = await paste(first)
    expect(data.product).toEqual({ id: expect.stringMatching(/^prod_/), name: 'Basic plan' })
    expect(await stop(first)).toMatchObject({ code: 0, err: '' })
    for (const port of [env.PORT, env.DYNAMODB_PORT]) expect(await isListening(Number(port))).toBe(false)
    const second = await startLocal(env)
    expect(second.demo).toEqual(first.demo)
    expect(await list(second)).toEqual([data.product])
    expect(await stop(second, 'SIGINT')).toMatchObject({ code: 0, err: '' })
  })

  it('answers the requests in flight before it ends, however often it is signalled', async () => {
    const service = await startLocal(await freeSettings())
    const slow = request(`${service.baseUrl}/api/products`, {
      method: 'POST',
      headers: { ...headersOf(service), expect: '100-continue' },
    })
    slow.flushHeaders()
    await once(slow, 'continue')
    for (const signal of ['SIGINT', 'SIGINT', 'SIGTERM'] as const) service.child.kill(signal)
    slow.end(JSON.stringify({ id: 1, name: 'In flight' }))
    const [answer] = (await once(slow, 'response')) as [IncomingMessage]
    expect(answer.statusCode).toBe(200)
    answer.resume()
    expect(await service.ended).toMatchObject({ code: 0, err: '' })
  })

  it('keeps nothing with --memory, and creates no folder', async () => {
    const env = await freeSettings()
    const first = await startLocal(env, ['--memory'])
    await paste(first)
    expect(await list(first)).toHaveLength(1)
    await stop(first)
    const second = await startLocal(env, ['--memory'])
    expect(await list(second)).toEqual([])
    expect(second.demo).not.toEqual(first.demo)
    await stop(second)
    expect(() => readdirSync(env.DATA_DIR)).toThrow('ENOENT')
  })

  it('ends when its engine dies, and says so', async () => {
    const env = await freeSettings()
    const service = await startLocal(env)
    const engines = enginesOn(env.DYNAMODB_PORT)
    expect(engines).toHaveLength(1)
    for (const { pid } of engines) process.kill(pid, 'SIGKILL')
    expect(await service.ended).toMatchObject({ code: 1, err: 'Ended: the DynamoDB engine has stopped.\n' })
  })

  it('says in one line why it does not start', async () => {
    const err = 'Not started: unknown argument "--memry"; known are: --memory, --scenario.\n'
    expect(await failToStart({}, ['--memry'])).toMatchObject({ code: 1, out: '', err })
  })

  it('starts once of two services that start on a folder at the same time', async () => {
    const env = { ...(await freeSettings()), PORT: '0', DYNAMODB_PORT: '0' }
    const both = await Promise.allSettled([startLocal(env), startLocal(env)])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    for (const each of both)
      if (each.status === 'fulfilled') await stop(each.value)
      else
        expect(each.reason.message).toMatch(/Not started: the data folder .* is in use by another service;/)
  })

  it.each(signals)('ends with service and engine on %s, and passes on what follows "--"', async (_, send) => {
    const env = await freeSettings()
    const service = await startLocal(env, ['--', '--memory'], ['npm', 'start', '--silent'])
    expect(service.out()).toContain('in memory, until it ends')
    send(service)
    // After Ctrl-C, npm itself may be ended by the signal before its script. Nothing may be left running.
    const { code } = await service.ended
    expect([0, null]).toContain(code)
    await Promise.all([env.PORT, env.DYNAMODB_PORT].map(untilFree))
  })
})

describe('kill -9 of the local service while it writes', () => {
  it('loses nothing that was acknowledged, leaves no engine behind, and does not block a restart', async () => {
    const env = await freeSettings()
    const acknowledged: string[] = []
    let service = await startLocal(env)
    for (const round of upTo(runs(2, 20))) {
      const enough = acknowledged.length + 1 + Math.random() * 60
      const writers = upTo(4).map((writer) => write(service, `${round}-${writer}`, acknowledged))
      while (acknowledged.length < enough) await pause(1)
      await killed(service)
      await Promise.all(writers)
      service = await startLocal(env)
    }
    for (const id of acknowledged) {
      const response = await fetch(`${service.baseUrl}/api/products/${id}`, { headers: headersOf(service) })
      expect([response.status, await response.json()]).toEqual([
        200,
        { data: { product: expect.objectContaining({ name: id }) } },
      ])
    }
    await killed(service)
    for (let tries = 0; tries < 100 && (await isListening(Number(env.DYNAMODB_PORT))); tries += 1)
      await pause(20)
    expect(enginesOn(env.DYNAMODB_PORT)).toEqual([])
  })
})
