import { UsageError } from '../../tools/cli/command.ts'
import { type Options, parseOptions, parseOwnOptions } from '../../tools/cli/options.ts'
import { urlFrom } from '../../tools/cli/setting-values.ts'
import { optionList, synopsis } from '../../tools/cli/usage.ts'

const options = {
  app: { value: 'APP_ID', isRequired: true, about: 'the application' },
  map: { value: 'COLUMN=FIELD', short: 'm', isRepeatable: true, about: 'the field of a column' },
  zone: { value: 'AREA/CITY', about: 'the time zone' },
  host: { value: 'NAME', about: 'the host', default: '127.0.0.1' },
  update: { about: 'updates what is recorded' },
} as const satisfies Options

it.each<[string, string[], object]>([
  [
    'all options',
    ['--app', 'a', '--map', 'x=1', '-m', 'y=2', '--zone=UTC', '--host', '::1', '--update'],
    { app: 'a', map: ['x=1', 'y=2'], zone: 'UTC', host: '::1', update: true },
  ],
  [
    'the required options alone',
    ['--app', 'a'],
    { app: 'a', map: [], zone: undefined, host: '127.0.0.1', update: false },
  ],
])('returns the values of %s', (_, args, values) => {
  expect(parseOptions(args, options).values).toEqual(values)
})

it.each([
  ['a required option is missing', [], '--app is missing'],
  ['an option is misspelt', ['--app', 'a', '--zome', 'x'], /^unknown option --zome; did you mean --zone\?$/],
  ['an option is unknown', ['--app', 'a', '--quiet'], /^unknown option --quiet$/],
  ['a letter is unknown', ['--app', 'a', '-q'], /^unknown option -q$/],
  ['an option has no value', ['--app'], /^--app has no value$/],
  [
    'an option is followed by another',
    ['--app', '--zone', 'x'],
    /^--app has no value, but is followed by --zone$/,
  ],
  ['a letter is followed by an option', ['-m', '--app', 'a'], /^-m has no value, but is followed by --app$/],
  ['the value of an option is empty', ['--app', ''], /^the value of --app is empty$/],
  ['the value of an option is empty after "="', ['--app', 'a', '--zone='], /^the value of --zone is empty$/],
  ['a flag has a value', ['--app', 'a', '--update=yes'], /^Option '--update' does not take an argument$/],
  ['an argument is not an option', ['--app', 'a', 'file'], /^Unexpected argument 'file'/],
])('refuses arguments in one sentence if %s', (_, args, message) => {
  expect(() => parseOptions(args, options)).toThrow(message)
})

it('returns the other arguments if the command takes some', () => {
  expect(parseOptions(['x', '--app', 'a', '-'], options, { allowPositionals: true }).positionals).toEqual([
    'x',
    '-',
  ])
})

const programOptions = {
  output: { value: 'FILE', short: 'o', about: '' },
  verbose: { short: 'v', about: '' },
} as const satisfies Options

it('passes all other arguments on to a program, in their order', () => {
  const args = ['stack', '-ofile', '--app', 'a', '--output=b', '-vm', 'x=1', '--output', 'c', '--', '--app']
  const { values, passedOn } = parseOwnOptions(args, options, programOptions)
  expect(values).toMatchObject({ app: 'a', map: ['x=1'] })
  expect(passedOn).toEqual(['stack', '-o', 'file', '--output=b', '-v', '--output', 'c', '--', '--app'])
})

it('refuses an option that neither the command nor the program has', () => {
  expect(() => parseOwnOptions(['--app', 'a', '--verbos'], options, programOptions)).toThrow(
    'unknown option --verbos; did you mean --verbose?',
  )
})

describe('the usage of a command', () => {
  const options = {
    app: { value: 'APP_ID', isRequired: true, about: 'the application' },
    map: { value: 'COLUMN=FIELD', short: 'm', isRepeatable: true, about: 'the field of a column' },
    host: { value: 'NAME', about: 'the host', default: '127.0.0.1' },
    update: { about: 'updates what is recorded' },
    report: { value: 'FILE', about: `${'word '.repeat(30).trim()}\nanother paragraph` },
  } as const satisfies Options

  it('writes all options in one line, optional ones in brackets', () => {
    expect(synopsis(options)).toBe('--app APP_ID [-m COLUMN=FIELD] [--host NAME] [--update] [--report FILE]')
  })

  it('explains each option, and --help, with line breaks between words', () => {
    expect(optionList(options).split('\n')).toEqual([
      '  --app APP_ID       the application',
      '  -m, --map COLUMN=FIELD',
      '                     the field of a column',
      '  --host NAME        the host (default: 127.0.0.1)',
      '  --update           updates what is recorded',
      `  --report FILE      ${'word '.repeat(20).trim()}`,
      `                     ${'word '.repeat(10).trim()}`,
      '                     another paragraph',
      '  --help             shows this usage',
    ])
  })
})

it.each(['', 'localhost:3000', 'ftp://x', 'xhttps://x', 'httpsx://x', '/api', 'http://[', 'http://x?y'])(
  'refuses "%s" as an address',
  (text) => {
    const read = () => urlFrom('URL', text)
    expect(read).toThrow(UsageError)
    expect(read).toThrow(`URL must be an address that begins with http:// or https:// (got "${text}")`)
  },
)
