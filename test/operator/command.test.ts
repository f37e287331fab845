import { parseArgs } from 'node:util'
import { ApiError } from '../../shared/errors.ts'
import { StartError } from '../../tools/local/settings.ts'
import {
  addressFrom,
  asStartError,
  type Command,
  runCommand,
  UsageError,
} from '../../tools/operator/command.ts'

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
const failing = (error: unknown) => called(['x'], async () => Promise.reject(error))

describe('a command', () => {
  it('is run with its arguments and ends well', async () => {
    const run = jest.fn(async () => undefined)
    expect(await called(['a', '--b'], run)).toEqual({ out: '', err: '', exitCode: undefined })
    expect(run.mock.calls).toEqual([[['a', '--b']]])
  })

  it('shows its usage when asked, and does nothing else', async () => {
    const run = jest.fn(async () => undefined)
    expect(await called(['a', '--help'], run)).toMatchObject({ out: 'usage: count THINGS', err: '' })
    expect(run).not.toHaveBeenCalled()
  })

  it('tells a wrong call in one line, with where the right one stands', async () => {
    const err = 'count: a thing is missing (--help shows the usage)'
    expect(await failing(new UsageError('a thing is missing'))).toEqual({ out: '', err, exitCode: 2 })
  })

  it('takes a refusal of the argument parser for a wrong call', async () => {
    const parse = async () => void parseArgs({ args: ['--c'], options: {} })
    const { err, exitCode } = await called([], parse)
    expect([err, exitCode]).toEqual(["count: Unknown option '--c' (--help shows the usage)", 2])
  })

  it('tells in one line what its user can mend', async () => {
    const error = new StartError('the folder is not there')
    expect(await failing(error)).toEqual({ out: '', err: 'count: the folder is not there', exitCode: 1 })
  })

  it.each([new TypeError('a bug'), Object.assign(new Error('x'), { code: 'NOT_ERR_PARSE_ARGS' })])(
    'hides no bug behind such a line: %s',
    async (bug) => {
      await expect(failing(bug)).rejects.toBe(bug)
      expect(said.err).toBe('')
    },
  )
})

describe('what went wrong with a table, in a line', () => {
  const cause = Object.assign(new Error('no route\n to it'), { name: 'NetworkError' })

  it.each<[string, unknown, string]>([
    [
      'a busy database',
      new ApiError('unavailable', 'Later.', { cause }),
      'the table cannot be used: no route',
    ],
    ['one without a cause', new ApiError('unavailable', 'Later.'), 'the table cannot be used: unavailable'],
    ['anything else', cause, 'no route'],
    ['an error without a message', Object.assign(new Error(''), { name: 'Silent' }), 'Silent'],
  ])('%s', (_, error, message) => {
    const told = asStartError(error)
    expect([told, told.message, told.cause]).toEqual([expect.any(StartError), message, error])
  })

  it('is left as it is where it is one already', () => {
    const error = new UsageError('x')
    expect(asStartError(error)).toBe(error)
  })
})

describe('an address on the command line', () => {
  it.each([
    ['http://localhost:3000', 'http://localhost:3000'],
    ['https://billing.example.org///', 'https://billing.example.org'],
    ['https://x.execute-api.example.com/prod/', 'https://x.execute-api.example.com/prod'],
  ])('%s is %s', (text, address) => expect(addressFrom('URL', text)).toBe(address))

  it.each(['', 'localhost:3000', 'ftp://x', 'xhttps://x', 'httpsx://x', '/api'])('"%s" is none', (text) => {
    const read = () => addressFrom('URL', text)
    expect(read).toThrow(UsageError)
    expect(read).toThrow(`URL must be an address such as https://billing.example.org (got "${text}")`)
  })
})
