import type { Options } from '../../tools/cli/options.ts'
import { optionList, synopsis } from '../../tools/cli/usage.ts'

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
