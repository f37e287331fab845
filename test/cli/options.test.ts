import { type Options, optionsHelp, parseOptions, synopsis } from '../../tools/cli/options.ts'

const options = {
  app: { value: 'APP_ID', isRequired: true, about: 'the application' },
  map: { value: 'COLUMN=FIELD', isRepeatable: true, about: 'the field of a column' },
  zone: { value: 'AREA/CITY', about: 'the time zone' },
  update: { about: 'updates what is recorded' },
} as const satisfies Options

it('reads texts, repeated options and flags', () => {
  const args = ['--app', 'a', '--map', 'x=1', '--map', 'y=2', '--update']
  expect(parseOptions(args, options).values).toEqual({
    app: 'a',
    map: ['x=1', 'y=2'],
    zone: undefined,
    update: true,
  })
  expect(parseOptions(['--app', 'a'], options).values).toEqual({
    app: 'a',
    map: [],
    zone: undefined,
    update: false,
  })
})

it.each([
  ['a required option is missing', [], '--app is missing'],
  ['an option is unknown', ['--app', 'a', '--zome', 'x'], "Unknown option '--zome'"],
  ['an argument is no option', ['--app', 'a', 'file'], "Unexpected argument 'file'"],
])('refuses arguments if %s', (_, args, message) => {
  expect(() => parseOptions(args, options)).toThrow(message)
})

it('returns the other arguments if the command takes some', () => {
  expect(parseOptions(['x', '--app', 'a', '-'], options, { allowPositionals: true }).positionals).toEqual([
    'x',
    '-',
  ])
})

it('writes the usage of every option, wrapped behind its name', () => {
  expect(synopsis(options)).toBe('--app APP_ID [--map COLUMN=FIELD] [--zone AREA/CITY] [--update]')
  const long = { ...options, report: { value: 'FILE', about: 'word '.repeat(30).trim() } } as const
  expect(optionsHelp(long).split('\n')).toEqual([
    '  --app APP_ID       the application',
    '  --map COLUMN=FIELD',
    '                     the field of a column',
    '  --zone AREA/CITY   the time zone',
    '  --update           updates what is recorded',
    `  --report FILE      ${'word '.repeat(20).trim()}`,
    `                     ${'word '.repeat(10).trim()}`,
  ])
})
