import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { type ClientOptions, createClient } from '../../client/index.ts'
import { newApiKey } from '../../shared/store/credentials.ts'
import { createTestService, type Seed, type TestService } from '../../tools/testing/index.ts'
import { testDoubleMain } from '../../tools/testing/program.ts'
import { untilPortIsFree } from '../support/processes/process-table.ts'
import { temporaryFolder } from '../support/processes/temporary-folder.ts'

const running: ChildProcess[] = []
afterAll(() => {
  for (const child of running) child.kill('SIGKILL')
})

const startProgram = async ([file, ...args]: readonly string[], input = '') => {
  const child = spawn(file!, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  running.push(child)
  child.stdin.end(input)
  const log = text(child.stderr)
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const access = JSON.parse(line) as Record<'base_url' | 'app_id' | 'api_key' | 'control_url', string>
  const { base_url: baseUrl, app_id: appId, api_key: apiKey } = access
  return { child, access, client: createClient({ baseUrl, appId, apiKey, retries: 0 }), log }
}

const program = 'bin/billing-data-api.ts'
const seedText = JSON.stringify({ products: [{ id: 'basic', name: 'Basic' }] })

describe('the program', () => {
  it('ends when the npx that started it is killed, and logs only failures with --quiet', async () => {
    const command = ['npx', 'node', program, '--quiet', '--seed', '-']
    const { child, access, client, log } = await startProgram(command, seedText)
    expect((await client.products.list()).items).toMatchObject([{ name: 'Basic' }])
    child.kill('SIGKILL')
    await untilPortIsFree(new URL(access.base_url).port)
    expect(await log).toBe('')
  })

  it('prints its credentials, reads its seed from a file, logs each request, and ends on a signal', async () => {
    const file = join(temporaryFolder(), 'seed.json')
    writeFileSync(file, seedText)
    const options = ['--memory', '--seed', file, '--now', '2026-01-01']
    const { child, access, client, log } = await startProgram([process.execPath, program, ...options])
    expect(await (await fetch(access.control_url)).json()).toEqual(access)
    expect((await client.products.list()).items).toMatchObject([{ name: 'Basic' }])
    child.kill()
    expect(await once(child, 'exit')).toEqual([0, null])
    const routes = (await log)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).route)
    expect(routes).toEqual(['products.create', 'products.list'])
  })
})

describe('the command line', () => {
  const run = async (args: readonly string[]) => {
    const out = jest.spyOn(console, 'log').mockReturnValue()
    const err = jest.spyOn(console, 'error').mockReturnValue()
    await testDoubleMain(args)
    const { exitCode } = process
    process.exitCode = undefined
    return { exitCode, out: out.mock.lastCall?.[0], err: err.mock.lastCall?.[0] }
  }
  afterEach(() => jest.restoreAllMocks())
  const key = newApiKey()

  it.each([
    [['--port', 'x'], /--port must be a number from 0 to 65535 \(got "x"\)/],
    [['--port', '65536'], /--port must be a number/],
    [['--cors-origin', 'localhost:5173'], /--cors-origin must be an origin .* \(got "localhost:5173"\)/],
    [['--now', 'never'], /now must be a date/],
    [['--seed', 'README.md'], /cannot read the seed "README.md": /],
    [['--seed', 'nowhere.json'], /cannot read the seed "nowhere.json": /],
    [['--prot', '1'], /unknown option --prot/],
    [[`--${key}`], /unknown option --bdk_…/],
    [['--seed', key], /cannot read the seed "bdk_…": /],
  ])('refuses the arguments %j in one line', async (args, message) => {
    const err = expect.stringMatching(new RegExp(`^billing-data-api: ${message.source}.*$`))
    expect(await run(args)).toEqual({ exitCode: 1, out: undefined, err })
  })

  it('shows its options with --help', async () => {
    const out = expect.stringMatching(/^usage: billing-data-api/)
    expect(await run(['--help'])).toEqual({ exitCode: undefined, out, err: undefined })
  })
})

const seed: Seed = { customers: [{ id: 1, name: 'Ann' }, { id: 2 }] }

let service: TestService
beforeAll(async () => {
  service = await createTestService({ seed, now: new Date('2026-01-01T00:00:00Z') })
})
afterAll(() => service.stop())
beforeEach(() => service.reset())

const customers = (options: ClientOptions = service) => createClient({ ...options, retries: 0 }).customers

describe('a test service', () => {
  it('runs the service with its own seed and CORS origin, and can be stopped twice', async () => {
    await expect(customers().create({ id: '' })).rejects.toMatchObject({ status: 422 })
    await expect(customers({ ...service, apiKey: 'bdk_x' }).list()).rejects.toMatchObject({ status: 401 })
    const reader = customers({ ...service, apiKey: service.readOnlyApiKey })
    expect((await reader.list()).items).toHaveLength(2)
    await expect(reader.create({ id: 3 })).rejects.toThrow(/: 403 Forbidden: This API key is read-only/)
    const corsOrigin = 'http://localhost:5173'
    const other = await createTestService({ seed, now: '2026-01-01', corsOrigin })
    // Ids and cursors are the same in every process.
    const [page] = await Promise.all([service, other].map((options) => customers(options).list({ limit: 1 })))
    expect(await customers(other).list({ limit: 1 })).toEqual(page)
    await customers(other).create({ id: 3 })
    await expect(customers().retrieve(3)).rejects.toMatchObject({ status: 404 })
    const preflight = await fetch(`${other.baseUrl}/api/customers`, { method: 'OPTIONS' })
    expect(preflight.headers.get('access-control-allow-origin')).toBe(corsOrigin)
    await Promise.all([other.stop(), other.stop()])
    await expect(other.reset()).rejects.toThrow('The test service has ended.')
    await expect(customers(other).list()).rejects.toMatchObject({ status: 0 })
  })

  it('has no enumerable properties except the options of a client, so that a client accepts it', () => {
    expect(Object.keys(service)).toEqual(['baseUrl', 'appId', 'apiKey'])
    expect(() => createClient(service)).not.toThrow()
  })

  it('sends requests to the controls without the global fetch, which test environments may replace', async () => {
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

  it('rejects a reset to a seed that the API refuses, or to an invalid Date', async () => {
    const reset = async (state: object) => service.reset(state)
    const seed = { customers: [{ id: 1 }, { id: '' }] }
    await expect(reset({ seed })).rejects.toThrow(/^seed\.customers\[1\] is refused: .*422/)
    const invalid = /^now must be a date such as .*\(got "Invalid Date"\)/
    await expect(reset({ now: new Date('yesterday') })).rejects.toThrow(invalid)
  })

  it.each<[string, () => object, string | RegExp]>([
    ['with a misspelt option', () => ({ sead: {} }), 'sead is not an option of createTestService; did you'],
    ['with an unknown option', () => ({ host: '::1' }), 'use one of: seed, now, port, corsOrigin'],
    ['with a seed that the API refuses', () => ({ seed: { customers: [{ id: '' }] } }), /^seed.*422/],
    [
      'on a port that is taken',
      () => ({ port: Number(new URL(service.baseUrl).port) }),
      /^port \d+ is taken; set --port to a free one$/,
    ],
  ])('does not start %s', (_, options, message) =>
    expect(createTestService(options())).rejects.toThrow(message),
  )

  const outputOf = async (program: string): Promise<string> => {
    const script = `import { createTestService } from './tools/testing/index.ts'; ${program}`
    const args = ['--input-type=module', '-e', script]
    return (await promisify(execFile)(process.execPath, args, { timeout: 20_000 })).stdout.trim()
  }

  it('ends with its parent process, and does not keep it alive', async () => {
    const url = await outputOf('console.log((await createTestService()).baseUrl)')
    await expect(untilPortIsFree(new URL(url).port)).resolves.toBeUndefined()
  })

  it('lets no page call it by default, whatever origin the environment allows', async () => {
    const allowedOrigin = await outputOf(`process.env.CORS_ORIGIN = '*'
      const { baseUrl } = await createTestService()
      const { headers } = await fetch(baseUrl + '/api/customers', { method: 'OPTIONS' })
      console.log(headers.get('access-control-allow-origin'))`)
    expect(allowedOrigin).toBe('null')
  })

  it('leaves no process behind if JSON cannot express its seed', async () => {
    const seed = '{ customers: [{ id: 1n }] }'
    const output = await outputOf(
      `createTestService({ seed: ${seed} }).catch(({ name }) => console.log(name))`,
    )
    expect(output).toBe('TypeError')
  })
})
