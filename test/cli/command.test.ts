import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ApiError } from '../../shared/errors.ts'
import { newApiKey } from '../../shared/store/credentials.ts'
import { singleQuoted } from '../../shared/text/shell.ts'
import {
  asCommandError,
  type Command,
  CommandError,
  runCommand,
  UsageError,
} from '../../tools/cli/command.ts'
import { prepareOutputFolder } from '../../tools/cli/output-folder.ts'
import { temporaryFolder } from '../support/processes/temporary-folder.ts'

const printed = { out: '', err: '' }
beforeEach(() => {
  Object.assign(printed, { out: '', err: '' })
  jest.spyOn(console, 'log').mockImplementation((text) => {
    printed.out += text
  })
  jest.spyOn(console, 'error').mockImplementation((text) => {
    printed.err += text
  })
})
afterEach(() => {
  process.exitCode = undefined
  jest.restoreAllMocks()
})

/** The exit code is undefined if the command succeeds. */
const runWith = async (args: readonly string[], run: Command['run']) => {
  await runCommand({ name: 'count', usage: 'usage: count THINGS', run }, args)
  return { ...printed, exitCode: process.exitCode }
}

const failWith = (error: Error) => () => Promise.reject(error)

it('runs a command with its arguments, by default those of the process', async () => {
  const run = jest.fn(async () => undefined)
  expect(await runWith(['a', '--b'], run)).toEqual({ out: '', err: '', exitCode: undefined })
  const argv = jest.replaceProperty(process, 'argv', ['node', 'bin/count.ts', 'c'])
  await runCommand({ name: 'count', usage: '', run })
  argv.restore()
  expect(run.mock.calls).toEqual([[['a', '--b']], [['c']]])
})

it('prints the usage of a command for --help, and does not run it', async () => {
  const run = jest.fn(async () => undefined)
  expect(await runWith(['a', '--help'], run)).toMatchObject({ out: 'usage: count THINGS', err: '' })
  expect(run).not.toHaveBeenCalled()
})

it.each([
  ['wrong arguments', new UsageError('x is missing'), 'x is missing (--help shows the usage)', 2],
  ['an error that the user can fix', new CommandError('no folder'), 'no folder', 1],
])('prints one line for %s', async (_, error, message, exitCode) => {
  expect(await runWith(['x'], failWith(error))).toEqual({ out: '', err: `count: ${message}`, exitCode })
})

it('prints the stack trace of a bug', async () => {
  const bug = new TypeError('a bug')
  const { err, exitCode } = await runWith(['x'], failWith(bug))
  expect(err.startsWith(bug.stack!)).toBe(true)
  expect(exitCode).toBe(1)
})

it.each([CommandError, TypeError])(
  'replaces characters of a %p that could control a terminal',
  async (ErrorClass) => {
    const { err } = await runWith(['x'], failWith(new ErrorClass('no file "\u001b[2J\u009b2J\r"')))
    expect(err).toContain('no file "\uFFFD[2J\uFFFD2J\uFFFD"')
  },
)

it('prints a message with a line break in one line', async () => {
  const { err } = await runWith(['x'], failWith(new CommandError('no file "a\nb"')))
  expect(err).toBe('count: no file "a\uFFFDb"')
})

const key = newApiKey()
it.each<[string, Error]>([
  ['wrong arguments', new UsageError(`"${key}" is not a command`)],
  ['an unknown option', new UsageError(`unknown option --${key}`)],
  ['an error that the user can fix', new CommandError(`no application "${key}x"`)],
  ['a bug', new TypeError(`"Bearer ${key}" is an invalid header value`)],
])('shortens a key in the message of %s', async (_, error) => {
  const { err } = await runWith([key], failWith(error))
  expect(err).toMatch(/bdk_…/)
  expect(err).not.toContain(key.slice(0, 12))
})

it('shortens every key in a message, also a read-only one', async () => {
  const readOnlyKey = newApiKey({ isReadOnly: true })
  const { err } = await runWith([], failWith(new UsageError(`what are "${readOnlyKey}" and "${key}"?`)))
  expect(err).toContain('what are "bdr_…" and "bdk_…"?')
})

const cause = Object.assign(new Error('no route\n to it'), { name: 'NetworkError' })

it.each<[string, unknown, string]>([
  [
    'an unavailable table',
    new ApiError('unavailable', 'Later.', { cause }),
    'the table cannot be used: no route',
  ],
  [
    'an unavailable table without a cause',
    new ApiError('unavailable', 'Later.'),
    'the table cannot be used: unavailable',
  ],
  ['any other error', cause, 'no route'],
  ['an error without a message', Object.assign(new Error(''), { name: 'Silent' }), 'Silent'],
])('converts %s into an error that the user can fix', (_, error, message) => {
  const commandError = asCommandError(error)
  expect(commandError).toEqual(expect.any(CommandError))
  expect(commandError.message).toEqual(message)
  expect(commandError.cause).toEqual(error)
})

it('does not convert an error that the user can fix already', () => {
  const error = new UsageError('x')
  expect(asCommandError(error)).toBe(error)
})

it('reports in one line that a folder cannot be written, as in a read-only checkout', () => {
  const file = join(temporaryFolder(), 'dist')
  writeFileSync(file, '')
  const prepare = () => prepareOutputFolder(join(file, 'functions'))
  expect(prepare).toThrow(CommandError)
  expect(prepare).toThrow(/^cannot write to the folder "[^\n]*functions": [^\n]+$/)
})

it.each(['', 'plain', "it's", "''", '$HOME `id` "x" \\ !', 'two\nlines'])(
  'quotes a text so that a shell passes it to a command unchanged: %j',
  (text) => {
    const printed = execFileSync('sh', ['-c', `printf %s ${singleQuoted(text)}`], { encoding: 'utf8' })
    expect(printed).toBe(text)
  },
)
