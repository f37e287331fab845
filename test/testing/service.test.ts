import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { createClient } from '../../client/index.ts'
import {
  createTestService,
  type Seed,
  type TestService,
  type TestServiceOptions,
} from '../../tools/testing/index.ts'
import { untilFree } from '../support/processes.ts'

const seed: Seed = { customers: [{ id: 1, name: 'Ann' }, { id: 2 }] }

let service: TestService
beforeAll(async () => {
  service = await createTestService({ seed, now: new Date('2026-01-01T00:00:00Z') })
})
afterAll(() => service.stop())
beforeEach(() => service.reset())

const customers = (of = service) => createClient({ ...of, retries: 0 }).customers

describe('a test service', () => {
  it('is the real service with its own seed and CORS origin, and stops once', async () => {
    await expect(customers().create({ id: '' })).rejects.toMatchObject({ status: 422 })
    await expect(customers({ ...service, apiKey: 'bdk_x' }).list()).rejects.toMatchObject({ status: 401 })
    const reader = customers({ ...service, apiKey: service.readOnlyApiKey })
    expect((await reader.list()).items).toHaveLength(2)
    await expect(reader.create({ id: 3 })).rejects.toThrow(/: 403 Forbidden: This API key is read-only/)
    const corsOrigin = 'http://localhost:5173'
    const other = await createTestService({ seed, now: '2026-01-01', corsOrigin })
    // Ids and cursors are the same in every process.
    const [page] = await Promise.all([service, other].map((each) => customers(each).list({ limit: 1 })))
    expect(await customers(other).list({ limit: 1 })).toEqual(page)
    await customers(other).create({ id: 3 })
    await expect(customers().retrieve(3)).rejects.toMatchObject({ status: 404 })
    const preflight = await fetch(`${other.baseUrl}/api/customers`, { method: 'OPTIONS' })
    expect(preflight.headers.get('access-control-allow-origin')).toBe(corsOrigin)
    await Promise.all([other.stop(), other.stop()])
    await expect(other.reset()).rejects.toThrow('The test service has ended.')
    await expect(customers(other).list()).rejects.toMatchObject({ status: 0 })
  })

  it('is controlled without the global fetch, which test environments may replace', async () => {
    const { fetch } = globalThis
    globalThis.fetch = () => Promise.reject(new Error('a mock'))
    try {
      await service.setTime(new Date('2030-01-01'))
      await service.faults.add({ answer: 503, times: 2 })
      expect(await service.faults.pending()).toEqual([{ answer: 503, times: 2 }])
      await service.faults.clear()
      expect(await service.faults.pending()).toEqual([])
      await service.reset({ seed: { customers: [{ id: 1, name: 'Eve' }] }, now: new Date('2031-01-01') })
      await service.setTime()
    } finally {
      globalThis.fetch = fetch
    }
    expect((await customers().list()).items).toMatchObject([{ name: 'Eve' }])
  })

  it.each<[string, object, RegExp]>([
    [
      'a seed that the API refuses',
      { seed: { customers: [{ id: 1 }, { id: '' }] } },
      /^seed\.customers\[1\] is refused: .*422/,
    ],
    [
      'an invalid Date',
      { now: new Date('yesterday') },
      /^now must be a date such as .*\(got "Invalid Date"\)/,
    ],
  ])('rejects %s at its start and at a reset', async (_, options, message) => {
    await expect(createTestService(options)).rejects.toThrow(message)
    await expect((async () => service.reset(options))()).rejects.toThrow(message)
  })

  it.each([
    [{ sead: {} }, 'sead is not an option of createTestService; did you mean seed?'],
    [{ host: '::1' }, 'host is not an option of createTestService; known are: seed, now, port, corsOrigin'],
  ])('refuses the unknown option in %j', async (options, message) => {
    await expect(createTestService(options as TestServiceOptions)).rejects.toThrow(new TypeError(message))
  })

  it('does not start on a port that is taken', async () => {
    const port = Number(new URL(service.baseUrl).port)
    await expect(createTestService({ port })).rejects.toThrow(/^port \d+ is taken; set --port to a free one$/)
  })

  it('ends with its parent process, and does not keep that alive', async () => {
    const script = `import { createTestService } from './tools/testing/index.ts'
      console.log((await createTestService()).baseUrl)`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
    await expect(untilFree(new URL(stdout.trim()).port)).resolves.toBeUndefined()
  })
})
