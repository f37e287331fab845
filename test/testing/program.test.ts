import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { createClient } from '../../client/index.ts'
import { untilFree } from '../support/processes.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const running: ChildProcess[] = []
afterAll(async () => {
  for (const child of running) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill()
    await once(child, 'exit')
  }
})

const run = ([file, ...args]: readonly string[]) => {
  const child = spawn(file!, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  running.push(child)
  return child
}
const program = [process.execPath, 'bin/billing-data-api.ts']

const access = async ({ stdout }: ReturnType<typeof run>) => {
  const [line] = (await once(createInterface(stdout), 'line')) as [string]
  return JSON.parse(line) as Record<'base_url' | 'app_id' | 'api_key' | 'control_url', string>
}

const started = async (args: readonly string[], input = '') => {
  const child = run([...program, ...args])
  child.stdin.end(input)
  const log = text(child.stderr)
  const own = await access(child)
  const client = createClient({ baseUrl: own.base_url, appId: own.app_id, apiKey: own.api_key, retries: 0 })
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    expect(await once(child, 'exit')).toEqual([0, null])
    return (await log).split('\n').filter(Boolean)
  }
  return { own, client, end }
}

/** A program that starts another one without telling it of its own end. */
const starter = `require('node:child_process').spawn(process.execPath, process.argv.slice(1), { stdio: 'inherit' })`
const seed = JSON.stringify({ products: [{ id: 'basic', name: 'Basic' }] })

describe('the program', () => {
  it.each([
    ['a program', 'SIGKILL', [process.execPath, '-e', starter, program[1]!]],
    ['npx', 'SIGTERM', ['npx', 'node', program[1]!]],
    ['npx', 'SIGKILL', ['npx', 'node', program[1]!]],
  ] as const)('ends when %s that started it gets %s', async (_, signal, command) => {
    const child = run(command)
    const { base_url } = await access(child)
    child.kill(signal)
    await expect(untilFree(new URL(base_url).port)).resolves.toBeUndefined()
  })

  it('prints its access, reads its seed from a file, and logs each request to standard error', async () => {
    const file = join(temporaryFolder(), 'seed.json')
    writeFileSync(file, seed)
    const { own, client, end } = await started(['--memory', '--seed', file, '--now', '2026-01-01'])
    expect(await (await fetch(own.control_url)).json()).toEqual(own)
    expect((await client.products.list()).items).toMatchObject([{ name: 'Basic' }])
    const routes = (await end('SIGTERM')).map((line) => (JSON.parse(line) as { route: string }).route)
    expect(routes).toEqual(['products.create', 'products.list'])
  })

  it('reads its seed from standard input for "-", and logs no successful request with --quiet', async () => {
    const { client, end } = await started(['--quiet', '--seed', '-'], seed)
    expect((await client.products.list()).items).toMatchObject([{ name: 'Basic' }])
    expect(await end('SIGINT')).toEqual([])
  })

  it.each([
    [['--port', 'x'], /--port must be a port number from 0 to 65535 \(got "x"\)/],
    [['--port', '65536'], /--port must be a port number/],
    [['--port', ''], /--port must be a port number/],
    [['--now', 'never'], /now must be a date/],
    [['--seed', 'README.md'], /cannot read the seed "README.md": /],
    [['--seed', 'nowhere.json'], /cannot read the seed "nowhere.json": /],
    [['--prot', '1'], /Unknown option '--prot'/],
  ])('refuses %j in one line', async (args, message) => {
    const child = run([...program, ...args])
    expect(await text(child.stderr)).toMatch(new RegExp(`^billing-data-api: ${message.source}.*\\n$`))
    expect(child.exitCode ?? (await once(child, 'exit'))[0]).toBe(1)
  })

  it('shows its options with --help', async () => {
    expect(await text(run([...program, '--help']).stdout)).toMatch(/^usage: billing-data-api/)
  })
})
