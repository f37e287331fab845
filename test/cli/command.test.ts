import { parseArgs } from 'node:util'
import { ApiError } from '../../shared/errors.ts'
import { newApiKey } from '../../shared/store/credentials.ts'
import {
  addressFrom,
  asCommandError,
  type Command,
  CommandError,
  runCommand,
  UsageError,
} from '../../tools/cli/command.ts'
import { localSettings } from '../../tools/local/settings.ts'

const { argv } = process
const said = { out: '', err: '' }
beforeEach(() => {
  Object.assign(said, { out: '', err: '' })
  jest.spyOn(console, 'log').mockImplementation((text) => Object.assign(said, { out: said.out + text }))
  jest.spyOn(console, 'error').mockImplementation((text) => Object.assign(said, { err: said.err + text }))
})
afterEach(() => {
  process.argv = argv
  process.exitCode = undefined
  jest.restoreAllMocks()
})

const called = async (args: readonly string[], run: Command['run']) => {
  process.argv = ['node', 'bin/count.ts', ...args]
  await runCommand({ name: 'count', usage: 'usage: count THINGS', run })
  return { ...said, exitCode: process.exitCode }
}

it('a command runs with its arguments and exits with 0', async () => {
  const run = jest.fn(async () => undefined)
  expect(await called(['a', '--b'], run)).toEqual({ out: '', err: '', exitCode: undefined })
  expect(run.mock.calls).toEqual([[['a', '--b']]])
})

it('a command only shows its usage on --help', async () => {
  const run = jest.fn(async () => undefined)
  expect(await called(['a', '--help'], run)).toMatchObject({ out: 'usage: count THINGS', err: '' })
  expect(run).not.toHaveBeenCalled()
})

const usage = '(--help shows the usage)'
it.each([
  ['a wrong call', () => Promise.reject(new UsageError('x is missing')), `x is missing ${usage}`, 2],
  ['an option', async () => void parseArgs({ args: ['--c'] }), `Unknown option '--c' ${usage}`, 2],
  ['an error that its user can fix', () => Promise.reject(new CommandError('no folder')), 'no folder', 1],
])('a command explains in one line what is wrong: %s', async (_, run, told, exitCode) => {
  expect(await called(['x'], run)).toEqual({ out: '', err: `count: ${told}`, exitCode })
})

it.each([new TypeError('a bug'), Object.assign(new Error('x'), { code: 'NOT_ERR_PARSE_ARGS' })])(
  'a command shows the stack of a bug: %s',
  async (bug) => {
    const { err, exitCode } = await called(['x'], () => Promise.reject(bug))
    expect(err.startsWith(bug.stack!)).toBe(true)
    expect(exitCode).toBe(1)
  },
)

it.each([CommandError, TypeError])(
  'a command shows no control characters, which could control a terminal: %p',
  async (Kind) => {
    const { err } = await called(['x'], () => Promise.reject(new Kind('no file "\u001b[2J\u009b2J\r"')))
    expect(err).toContain('no file "\uFFFD[2J\uFFFD2J\uFFFD"')
  },
)

const key = newApiKey()
it.each<[string, () => Promise<void>]>([
  ['wrong usage', () => Promise.reject(new UsageError(`"${key}" is not a command`))],
  ['an option', async () => void parseArgs({ args: [`--${key}`] })],
  ['an error that its user can fix', () => Promise.reject(new CommandError(`no application "${key}x"`))],
  ['a bug', () => Promise.reject(new TypeError(`"Bearer ${key}" is an invalid header value`))],
])('a command never shows a key that came with %s', async (_, run) => {
  const { err } = await called([key], run)
  expect(err).toMatch(/bdk_…/)
  expect(err).not.toContain(key.slice(0, 12))
})

it('a command never shows a read-only key', async () => {
  const readOnly = newApiKey({ isReadOnly: true })
  const { err } = await called([readOnly], () => Promise.reject(new UsageError(`what is "${readOnly}"?`)))
  expect(err).toContain('what is "bdr_…"?')
  expect(err).not.toContain(readOnly.slice(0, 12))
})

const cause = Object.assign(new Error('no route\n to it'), { name: 'NetworkError' })

it.each<[string, unknown, string]>([
  ['a busy database', new ApiError('unavailable', 'Later.', { cause }), 'the table cannot be used: no route'],
  ['one without a cause', new ApiError('unavailable', 'Later.'), 'the table cannot be used: unavailable'],
  ['anything else', cause, 'no route'],
  ['an error without a message', Object.assign(new Error(''), { name: 'Silent' }), 'Silent'],
])('explains a table error: %s', (_, error, message) => {
  const told = asCommandError(error)
  expect(told).toEqual(expect.any(CommandError))
  expect(told.message).toEqual(message)
  expect(told.cause).toEqual(error)
})

it('leaves errors of other kinds unchanged', () => {
  const error = new UsageError('x')
  expect(asCommandError(error)).toBe(error)
})

it.each(['', 'localhost:3000', 'ftp://x', 'xhttps://x', 'httpsx://x', '/api', 'http://[', 'http://x?y'])(
  'refuses "%s" as an address',
  (text) => {
    const read = () => addressFrom('URL', text)
    expect(read).toThrow(UsageError)
    expect(read).toThrow(`URL must be an address that begins with http:// or https:// (got "${text}")`)
  },
)

const defaults = {
  host: '127.0.0.1',
  port: 3000,
  enginePort: undefined,
  dataDir: '.local',
  endpoint: undefined,
  table: 'billing',
  scenario: false,
  empty: false,
}

const names = [
  'HOST',
  'PORT',
  'DYNAMODB_PORT',
  'DATA_DIR',
  'DYNAMODB_ENDPOINT',
  'TABLE_NAME',
  'HOLD_BACK_SECONDS',
]
const allEmpty = Object.fromEntries(names.map((name) => [name, '']))

describe('the settings of the local service', () => {
  it.each([
    [{}, [], {}],
    [allEmpty, [], {}],
    [{ PORT: '0', DYNAMODB_PORT: '65535' }, [], { port: 0, enginePort: 65_535 }],
    [{ HOST: '0.0.0.0' }, [], { host: '0.0.0.0' }],
    [{ DATA_DIR: 'x' }, [], { dataDir: 'x' }],
    [{ DATA_DIR: 'x' }, ['--memory'], { dataDir: undefined }],
    [{}, ['--scenario', '--memory'], { dataDir: undefined, scenario: true }],
    [{}, ['--empty'], { empty: true }],
    [{ DYNAMODB_ENDPOINT: 'http://localhost:1/' }, [], { endpoint: 'http://localhost:1/' }],
    [{ HOLD_BACK_SECONDS: '60' }, [], { holdBack: 60 }],
    [{ TABLE_NAME: 'other' }, [], { table: 'other' }],
  ])('reads the environment %j with the arguments %j', (env, args, settings) =>
    expect(localSettings(env, args)).toEqual({ ...defaults, ...settings }),
  )

  it('refuses an empty demo application that has the demo business', () => {
    const read = () => localSettings({}, ['--empty', '--scenario'])
    expect(read).toThrow(UsageError)
    expect(read).toThrow('--scenario and --empty exclude each other')
  })

  it.each([
    [{ PORT: '70000' }, 'PORT must be a number from 0 to 65535 (got "70000")'],
    [{ PORT: '3e3' }, 'PORT must be'],
    [{ DYNAMODB_PORT: '-1' }, 'DYNAMODB_PORT must be'],
    [{ DYNAMODB_ENDPOINT: 'localhost:8000' }, 'DYNAMODB_ENDPOINT must be'],
    [{ CORS_ORIGIN: 'https://app.example.org/' }, 'CORS_ORIGIN must be an origin'],
    [{ HOLD_BACK_SECONDS: '-1' }, 'HOLD_BACK_SECONDS must be a number from 0 to 3600 (got "-1")'],
    [{ HOLD_BACK_SECONDS: '3601' }, 'HOLD_BACK_SECONDS must be'],
  ])('refuses the environment %j', (env, message) => {
    const read = () => localSettings(env)
    expect(read).toThrow(UsageError)
    expect(read).toThrow(message)
  })
})
