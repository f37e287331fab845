import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { newApiKey } from '../../shared/store/credentials.ts'
import { CommandError } from '../../tools/cli/command.ts'
import type { Input } from '../../tools/cli/secret.ts'
import { runApps } from '../../tools/operator/apps.ts'
import { temporaryFolder } from '../support/processes/temporary-folder.ts'

const engine = () => process.env.TEST_ENGINE as string
const anyTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)

const appsIn = (env: NodeJS.ProcessEnv) => async (line: string, input?: Input) =>
  JSON.parse(await runApps(line.split(' '), env, input, async () => undefined))
const onNewTable = () => appsIn({ DYNAMODB_ENDPOINT: engine(), TABLE_NAME: `apps-${randomUUID()}` })

it.each([
  ['12h', 12],
  ['90d', 90 * 24],
])('creates keys that expire after %s', async (lifetime, hours) => {
  const apps = onNewTable()
  const expected = Date.now() + hours * 3_600_000
  const first = await apps(`create --name Shop --expires ${lifetime}`)
  const second = await apps(`rotate --app ${first.app_id} --expires ${lifetime}`)
  for (const { expires } of [first, second, ...(await apps(`keys --app ${first.app_id}`))])
    expect(Math.abs(Date.parse(expires) - expected)).toBeLessThan(60_000)
})

it('escapes characters that control a terminal or the direction of text in the JSON that it prints', async () => {
  const env = { DYNAMODB_ENDPOINT: engine(), TABLE_NAME: `apps-${randomUUID()}` }
  const name = 'Shop \u009b2J\u202egnp\u2028\u007f'
  await runApps(['create', '--name', name], env)
  const printed = await runApps(['list'], env)
  expect(JSON.parse(printed)).toMatchObject([{ name }])
  expect(printed).not.toMatch(/[^\P{Cc}\n]|[\p{Bidi_Control}\p{Zl}\p{Zp}]/u)
})

it('creates read-only keys, and shows for every key whether it is read-only', async () => {
  const apps = onNewTable()
  const first = await apps('create --name Shop --read-only')
  const second = await apps(`rotate --app ${first.app_id} --read-only --expires 1d`)
  await apps(`rotate --app ${first.app_id}`)
  for (const { api_key } of [first, second]) expect(api_key).toMatch(/^bdr_\w{40}$/)
  const keys = await apps(`keys --app ${first.app_id}`)
  expect(keys.map(({ read_only }: { read_only: boolean }) => read_only)).toEqual([true, true, false])
  const keyDescription = await apps(`find --key ${second.api_key}`)
  expect(keyDescription).toMatchObject({ key_id: second.key_id, read_only: true, expires: second.expires })
  expect(keyDescription.ends_with).toBe(`bdr_…${second.api_key.slice(-4)}`)
})

const terminal = (typed: string): Input =>
  Object.assign(new PassThrough().end(typed), { isTTY: true, setRawMode: () => undefined })

it.each<[string, (key: string) => [string, Input?], string]>([
  ['as an argument', (key) => [key], ''],
  ['from a pipe', (key) => ['-', new PassThrough().end(`${key}\n`)], ''],
  ['from a pipe, with spaces and more lines', (key) => ['-', new PassThrough().end(` ${key} \r\nx\n`)], ''],
  ['typed at a terminal, which does not show it', (key) => ['-', terminal(`${key}\r`)], 'API key: \n'],
])('finds the application of a key %s', async (_, keyInput, prompt) => {
  const apps = onNewTable()
  const { app_id, api_key, key_id } = await apps('create --name Shop')
  let printed = ''
  const stderr = jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    printed += text
    return true
  })
  const [key, input] = keyInput(api_key)
  const keyDescription = await apps(`find --key ${key}`, input)
  stderr.mockRestore()
  expect(keyDescription).toEqual({
    app_id,
    name: 'Shop',
    disabled: null,
    key_id,
    created: anyTime,
    ends_with: api_key.slice(-4),
    read_only: false,
    expires: null,
    revoked: null,
  })
  expect(printed).toBe(prompt)
})

it('ends on Ctrl-C at the prompt for a key', async () => {
  jest.spyOn(process.stderr, 'write').mockReturnValueOnce(true).mockReturnValueOnce(true)
  await expect(runApps(['find', '--key', '-'], {}, terminal('\x03'))).rejects.toThrow(/--key must be/)
  jest.restoreAllMocks()
})

const lifetime = /^--expires must be a number of hours or days, such as 12h or 90d \(got "[^"]*"\)$/
const notAnApiKey =
  /^--key must be a whole API key: "bdk_" or "bdr_", and 40 characters, of which the last are a checksum$/
it.each([
  [[], /^a command is missing$/],
  [['destroy'], /^"destroy" is not a command of apps$/],
  [['creat'], /^"creat" is not a command of apps; did you mean create\?$/],
  [['constructor'], /^"constructor" is not a command of apps$/],
  [['create'], /^--name is missing$/],
  [['list', '--name', 'x'], /^unknown option --name$/],
  [['rotate'], /^--app is missing$/],
  [['disable', '--key', 'x'], /^unknown option --key$/],
  [['revoke', '--app', 'app_x'], /^--key is missing$/],
  [['keys', '--app', 'shop'], /^--app must be the id of an application, such as app_\w+; [^_]*$/],
  [['create', '--name', `Shop ${newApiKey()}`], /^--name must not contain an API key$/],
  [
    ['revoke', '--app', 'app_x', '--key', newApiKey()],
    /^--key must be the id of a key, such as key_\w+; [^_]*$/,
  ],
  [['find'], /^--key is missing$/],
  [['find', '--key', newApiKey().slice(1)], notAnApiKey],
  [['find', '--key', '-'], notAnApiKey],
  ...['0d', '90', '1w', '1.5d', '-1d', '10000d', 'soon', '1d '].map((text) => [
    ['create', '--name', 'x', `--expires=${text}`],
    lifetime,
  ]),
  [['remove', '--app', 'app_1'], /^--confirm is missing$/],
  [['remove', '--app', 'app_1', '--confirm', 'app_2'], /^--confirm must be the same as --app$/],
  ...['0', '65', '-1', '8.0', 'many'].map((text) => [
    ['scale', '--app', 'app_1', `--shards=${text}`],
    /^--shards must be a number from 1 to 64 \(got "[^"]+"\)$/,
  ]),
  [['list', '--region', 'eu-west-1'], /^--region needs --table$/],
  [['list', '--table', newApiKey()], /^--table must not contain an API key$/],
] as [string[], RegExp][])('refuses %j in one line, before anything is opened', (args, message) =>
  expect(runApps(args, { DATA_DIR: '/dev/null/nowhere' }, new PassThrough().end())).rejects.toThrow(message),
)

it('reports in one line that an application does not exist', () =>
  expect(onNewTable()('keys --app app_0123456789abcdef')).rejects.toThrow(CommandError))

it.each(['', 'null', '{}'])('explains that the description of a service is broken: %j', async (content) => {
  const DATA_DIR = temporaryFolder()
  writeFileSync(join(DATA_DIR, 'service.json'), content)
  await expect(runApps(['list'], { DATA_DIR })).rejects.toThrow(
    /^".*service.json" does not describe a running service \([^\n]*\): remove it, and restart /,
  )
})
