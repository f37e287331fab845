import { readFileSync } from 'node:fs'
import { UsageError } from '../../tools/cli/command.ts'
import { localSettings, localUsage } from '../../tools/local/settings.ts'
import { guideSection } from '../support/documents/operating-guide.ts'

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

  it('are explained by the usage of npm start, with its options, and by the guide', () => {
    const guided = guideSection('The local service', readFileSync('CONTRIBUTING.md', 'utf8'))
    const settings = [...guided.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name)
    expect(localUsage.match(/^ {2}[-A-Z_a-z]+(?= {2})/gm)).toEqual(
      ['--memory', '--empty', '--scenario', '--help', ...settings].map((name) => `  ${name}`),
    )
  })

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
