import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { isListening } from '../../tools/local/engine.ts'
import {
  cleanUp,
  failToStart,
  freeSettings,
  type LocalProcess,
  runToEnd,
  startLocal,
} from '../support/local-process.ts'
import { enginesOn } from '../support/processes.ts'

afterAll(cleanUp)

const credentials = ({ demo }: LocalProcess) => ({
  authorization: `Bearer ${demo.api_key}`,
  'x-app-id': demo.app_id,
})

const list = async (service: LocalProcess, path = '/api/products') => {
  const response = await fetch(service.baseUrl + path, { headers: credentials(service) })
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
      headers: { ...credentials(service), expect: '100-continue' },
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
})
