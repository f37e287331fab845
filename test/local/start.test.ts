import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { BillingApiError, createClient } from '../../client/index.ts'
import { isListening } from '../../tools/local/loopback.ts'
import { shellDifferences } from '../support/documents/shell-portability.ts'
import {
  freeSettings,
  killLocalProcesses,
  type LocalProcess,
  runToEnd,
  startLocalProcess,
} from '../support/processes/local-process.ts'
import { enginesOn, untilNoEngine, untilPortIsFree } from '../support/processes/process-table.ts'
import { range } from '../support/range.ts'
import { runs } from '../support/runs.ts'

const env = freeSettings()
let service: LocalProcess
afterAll(killLocalProcesses)

const clientOf = ({ baseUrl, demo }: LocalProcess) =>
  createClient({ baseUrl, appId: demo.app_id, apiKey: demo.api_key, retries: 0 })
const portOf = ({ baseUrl }: LocalProcess): number => Number(new URL(baseUrl).port)
/** Resolves when the demo business is recorded, after the greeting. */
const untilRecorded = async ({ err }: LocalProcess): Promise<void> => {
  while (!/^Recorded the demo business: \d+ records$/m.test(err())) await pause(10)
}
const products = async () => (await clientOf(service).products.list()).items

/** Sends the body of a create after `meanwhile` has run. Returns the status. */
const createAround = async ({ baseUrl, demo }: LocalProcess, meanwhile: () => void) => {
  const headers = {
    authorization: `Bearer ${demo.api_key}`,
    'x-app-id': demo.app_id,
    'content-type': 'application/json',
    expect: '100-continue',
  }
  const slow = request(`${baseUrl}/api/products`, { method: 'POST', headers })
  slow.flushHeaders()
  await once(slow, 'continue')
  meanwhile()
  slow.end(JSON.stringify({ id: 1, name: 'In flight' }))
  const [reply] = (await once(slow, 'response')) as [IncomingMessage]
  reply.resume()
  return reply.statusCode
}

describe('npm start', () => {
  it('prints the address of the documentation, and a curl command that works', async () => {
    service = await startLocalProcess(env)
    const [, documentation = ''] = /^Documentation +(\S+)$/m.exec(service.out())!
    expect((await fetch(documentation)).status).toBe(200)
    const command = /^curl .*$/m.exec(service.out())?.[0] as string
    expect(shellDifferences(command)).toEqual([])
    const { data } = JSON.parse((await runToEnd('sh', ['-c', command])).out)
    expect(data.product).toMatchObject({ id: expect.stringMatching(/^prod_/), name: 'Gift card' })
  })

  it('completes the requests in progress before it ends, however many signals it receives', async () => {
    await clientOf(service).customers.create({ id: 'C-1003', name: 'Kept' })
    const status = await createAround(service, () => {
      for (const signal of ['SIGINT', 'SIGINT', 'SIGTERM'] as const) service.child.kill(signal)
    })
    expect(status).toBe(200)
    expect(await service.ended).toMatchObject({ code: 0, err: '' })
    expect(await isListening(portOf(service))).toBe(false)
    expect(enginesOn(env.DATA_DIR)).toEqual([])
  })

  it('lets only one of two concurrent starts succeed, with the previous data and demo application', async () => {
    const starts = await Promise.allSettled([1, 2].map(() => startLocalProcess(env, ['--scenario'])))
    const { demo } = service
    for (const start of starts)
      if (start.status === 'fulfilled') service = start.value
      else expect(start.reason.message).toMatch(/start: the data folder .* is in use by another service;/)
    expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(service.demo).toEqual(demo)
  })

  it('responds before it has recorded the demo business, and logs the requests of others alone', async () => {
    expect(service.err()).not.toContain('Recorded')
    await clientOf(service).products.create({ id: 'mine', name: 'Mine' })
    service.child.kill('SIGINT')
    const { code, out, err } = await service.ended
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out.match(/^\{.*"route":"[^"]+"/gm)).toHaveLength(1)
  })

  /** Three years of a business take seconds to record, and four months as many tenths. */
  const shortenBusiness = (): void => {
    const file = join(env.DATA_DIR, 'demo-application.json')
    const { business, ...demo } = JSON.parse(readFileSync(file, 'utf8'))
    expect(business).toEqual({ first_month: expect.any(Number) })
    writeFileSync(file, JSON.stringify({ ...demo, business: { first_month: business.first_month + 32 } }))
  }

  it('completes an interrupted recording at the next start, without logging it, and keeps what exists', async () => {
    shortenBusiness()
    service = await startLocalProcess(env, [])
    await untilRecorded(service)
    const names = (await products()).map(({ name }) => name)
    const demoProducts = ['Business', 'Onboarding', 'Priority support', 'Starter', 'Team']
    expect(names.sort()).toEqual([...demoProducts, 'Gift card', 'In flight', 'Mine'].sort())
    // The log line of a request may arrive after its response.
    while (!/^\{/m.test(service.out())) await pause(5)
    expect(service.out().match(/^\{/gm)).toHaveLength(1)
    const customers = await Array.fromAsync(clientOf(service).customers.all())
    expect(customers.length).toBeGreaterThan(10)
    expect(customers).toContainEqual(expect.objectContaining({ name: 'Kept' }))
  })

  it('ends with a message if its engine is killed', async () => {
    const engines = enginesOn(env.DATA_DIR)
    expect(engines).toHaveLength(1)
    for (const pid of engines) process.kill(pid, 'SIGKILL')
    expect(await service.ended).toMatchObject({
      code: 1,
      err: expect.stringMatching(/\nstart: the DynamoDB engine has stopped\n$/),
    })
  })
})

describe('npm start -- --memory', () => {
  const demos = new Set<string>()

  it.each<[string, () => void]>([
    ['a SIGTERM to npm', () => service.child.kill('SIGTERM')],
    ['Ctrl-C, which the terminal sends to every process', () => process.kill(-service.child.pid!, 'SIGINT')],
  ])(
    'keeps nothing with --memory, creates no folder, and stops service and engine on %s',
    async (_, send) => {
      const settings = { ...env, DATA_DIR: `${env.DATA_DIR}-memory` }
      service = await startLocalProcess(settings, ['--', '--memory', '--empty'], ['npm', 'start', '--silent'])
      expect(service.out()).toContain('in memory, until it ends')
      expect(await products()).toEqual([])
      await clientOf(service).products.create({ id: 1, name: 'Forgotten' })
      expect(demos).not.toContain(service.demo.app_id)
      demos.add(service.demo.app_id)
      expect(existsSync(settings.DATA_DIR)).toBe(false)
      send()
      // The signal of Ctrl-C may end npm before its script, but nothing may be left running.
      const { code } = await service.ended
      expect([0, null]).toContain(code)
      await untilPortIsFree(portOf(service))
      await untilNoEngine(settings.DATA_DIR)
    },
  )
})

describe('kill -9 of the local service while it writes', () => {
  /** Adds the ids of acknowledged products to `acknowledged`. */
  const write = async (name: string, acknowledged: string[]): Promise<void> => {
    const { create } = clientOf(service).products
    for (let number = 0; ; number += 1) {
      const id = `${name}-${number}`
      try {
        await create({ id, name: id })
        acknowledged.push(id)
      } catch (error) {
        if (!(error instanceof BillingApiError)) throw error
        if (error.status === 0) return
      }
    }
  }

  const kill = async () => {
    service.child.kill('SIGKILL')
    expect(await service.ended).toMatchObject({ signal: 'SIGKILL', err: '' })
  }

  it('loses no acknowledged write, leaves no engine behind, and does not prevent a restart', async () => {
    const acknowledged: string[] = []
    service = await startLocalProcess(env)
    for (const round of range(runs(1, 20))) {
      const enough = acknowledged.length + 1 + Math.random() * 60
      const writers = range(4).map((writer) => write(`${round}-${writer}`, acknowledged))
      while (acknowledged.length < enough) await pause(1)
      await kill()
      await Promise.all(writers)
      service = await startLocalProcess(env)
    }
    for (const id of acknowledged)
      expect(await clientOf(service).products.retrieve(id)).toMatchObject({ name: id })
    await kill()
    await untilNoEngine(env.DATA_DIR)
  })
})
