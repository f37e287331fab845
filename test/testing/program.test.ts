import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { createClient } from '../../client/index.ts'
import { untilFree } from '../support/processes.ts'

const running: ChildProcess[] = []
afterAll(async () => {
  for (const child of running) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill()
    await once(child, 'exit')
  }
})

const run = (command: readonly string[], args: readonly string[]) => {
  const [file = '', ...before] = command
  const child = spawn(file, [...before, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  running.push(child)
  return child
}
const program = [process.execPath, 'bin/billing-data-api.ts']
const start = (...args: string[]) => run(program, args)

interface Access {
  readonly base_url: string
  readonly app_id: string
  readonly api_key: string
  readonly control_url: string
}

const started = async (...args: string[]) => {
  const child = start(...args)
  const written: string[] = []
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => written.push(chunk))
  const errors = () => written.join('').split('\n').filter(Boolean)
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const access = JSON.parse(line) as Access
  const client = createClient({
    baseUrl: access.base_url,
    appId: access.app_id,
    apiKey: access.api_key,
    retries: 0,
  })
  const control = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(access.control_url + path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, json: (await response.json()) as unknown }
  }
  return { child, access, client, control, errors }
}

/** The shortest form of a program that starts another one and is ended without a word to it. */
const starter = `require('node:child_process').spawn(process.execPath, process.argv.slice(1), { stdio: 'inherit' })`

describe('the program', () => {
  it.each([
    ['a program', 'SIGKILL', [process.execPath, '-e', starter, program[1]!]],
    ['npx', 'SIGTERM', ['npx', 'node', program[1]!]],
    ['npx', 'SIGKILL', ['npx', 'node', program[1]!]],
  ] as const)('ends when %s that started it gets a %s', async (_, signal, command) => {
    const child = run(command, [])
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
    const { base_url } = JSON.parse(line) as Access
    child.kill(signal)
    await expect(untilFree(new URL(base_url).port)).resolves.toBeUndefined()
  })

  it('is controlled over HTTP, from any language', async () => {
    const seed = join(mkdtempSync(join(tmpdir(), 'billing-')), 'seed.json')
    writeFileSync(seed, JSON.stringify({ products: [{ id: 'basic', name: 'Basic' }] }))
    const { child, access, client, control } = await started(
      '--memory',
      '--seed',
      seed,
      '--now',
      '2026-01-01',
    )
    expect(await control('GET', '')).toEqual({ status: 200, json: access })
    await client.products.create({ id: 'pro', name: 'Pro' })
    expect(await control('POST', '/reset')).toEqual({ status: 200, json: {} })
    expect((await client.products.list()).items).toMatchObject([{ name: 'Basic' }])
    expect(await control('PUT', '/clock', { now: null })).toEqual({ status: 200, json: {} })

    const fault = { operation: 'products.list', call: 2, answer: 429, retryAfter: 7 }
    expect(await control('POST', '/faults', fault)).toEqual({ status: 200, json: {} })
    await client.products.list()
    expect(await control('GET', '/faults')).toEqual({ status: 200, json: { faults: [fault] } })
    await expect(client.products.list()).rejects.toMatchObject({ status: 429, retryAfter: 7 })
    await control('POST', '/faults', { answer: 500 })
    expect(await control('DELETE', '/faults')).toEqual({ status: 200, json: {} })
    expect((await client.products.list()).items).toHaveLength(1)

    child.kill()
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  it('says what it refuses to be controlled to', async () => {
    const { child, access, control } = await started()
    const refused = (detail: string, code = 422) => ({
      status: code,
      json: { errors: [expect.objectContaining({ code, detail: expect.stringContaining(detail) })] },
    })
    expect(await control('POST', '/faults', { answer: 404 })).toEqual(
      refused('answer must be one of 429, 500, 503 (got 404).'),
    )
    expect(await control('POST', '/faults', {})).toEqual(
      refused('A fault has an answer, loses something, or has a delay.'),
    )
    expect(await control('POST', '/faults', { answer: 429, lose: 'answer' })).toEqual(refused('cannot both'))
    expect(await control('POST', '/faults', { delay: 1, oops: 1 })).toEqual(refused('oops is not known'))
    expect(await control('POST', '/reset', { seed: { products: [{}] } })).toEqual(
      refused('seed.products[0] is refused'),
    )
    expect(await control('POST', '/nothing')).toEqual(
      refused(
        'There is no POST /__test/nothing; there are: GET /__test, POST /__test/reset, PUT /__test/clock, POST /__test/faults, GET /__test/faults, DELETE /__test/faults.',
        404,
      ),
    )
    expect(await control('PUT', '/clock', { now: 'noon' })).toEqual(refused('now must be a date'))
    const broken = await fetch(`${access.control_url}/faults/`, { method: 'POST', body: '{' })
    expect({ status: broken.status, json: await broken.json() }).toEqual(
      refused('The body must be JSON.', 400),
    )
    child.kill('SIGINT')
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  it('leaves a line for every request on standard error', async () => {
    const { child, client, errors } = await started()
    await client.customers.create({ id: 1 })
    await client.customers.list()
    child.kill()
    await once(child, 'close')
    const routes = errors().map((line) => (JSON.parse(line) as { route: string }).route)
    expect(routes).toEqual(['customers.create', 'customers.list'])
  })

  it.each([
    [['--port', 'x'], /--port must be a number from 0 to 65535 \(got "x"\)/],
    [['--port', '65536'], /--port must be a number from 0 to 65535/],
    [['--port', '1x'], /--port must be a number from 0 to 65535/],
    [['--port', 'x1'], /--port must be a number from 0 to 65535/],
    [['--port', '000001'], /--port must be a number from 0 to 65535/],
    [['--now', 'never'], /now must be a date/],
    [['--seed', 'README.md'], /the seed "README.md" cannot be read/],
    [['--seed', 'nowhere.json'], /the seed "nowhere.json" cannot be read/],
    [['--prot', '1'], /Unknown option '--prot'/],
  ])('refuses %j in one line', async (args, message) => {
    const child = start(...args)
    expect(await text(child.stderr)).toMatch(new RegExp(`^billing-data-api: ${message.source}.*\\n$`))
    expect(child.exitCode ?? (await once(child, 'exit'))[0]).toBe(1)
  })

  it('tells its options', async () => {
    const child = start('--help')
    expect(await text(child.stdout)).toMatch(/^usage: billing-data-api/)
  })
})
