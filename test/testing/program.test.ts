import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { createClient } from '../../client/index.ts'
import { newApiKey } from '../../shared/store/credentials.ts'
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
const seed = JSON.stringify({ products: [{ id: 'basic', name: 'Basic' }] })

describe('the program', () => {
  it('ends when the npx that started it is killed, and logs only failures with --quiet', async () => {
    const command = ['npx', 'node', program, '--quiet', '--seed', '-']
    const { child, access, client, log } = await startProgram(command, seed)
    expect((await client.products.list()).items).toMatchObject([{ name: 'Basic' }])
    child.kill('SIGKILL')
    await untilPortIsFree(new URL(access.base_url).port)
    expect(await log).toBe('')
  })

  it('prints its credentials, reads its seed from a file, logs each request, and ends on a signal', async () => {
    const file = join(temporaryFolder(), 'seed.json')
    writeFileSync(file, seed)
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
    [['--port', ''], /the value of --port is empty/],
    [['--cors-origin', 'localhost:5173'], /--cors-origin must be an origin .* \(got "localhost:5173"\)/],
    [['--now', 'never'], /now must be a date/],
    [['--seed', 'README.md'], /cannot read the seed "README.md": /],
    [['--seed', 'nowhere.json'], /cannot read the seed "nowhere.json": /],
    [['--prot', '1'], /unknown option --prot; did you mean --port\?/],
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
