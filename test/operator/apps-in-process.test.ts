import { randomUUID } from 'node:crypto'
import { appsUsage, run } from '../../shared/operator/apps.ts'

const engine = () => process.env.TEST_ENGINE as string
const before = { ...process.env }
afterEach(() => {
  process.env = { ...before }
})

const json = async (env: NodeJS.ProcessEnv, ...args: string[]) => JSON.parse(await run(args, env))

describe.each<[string, (table: string) => NodeJS.ProcessEnv, (table: string) => string[]]>([
  ['the engine at an address', (table) => ({ DYNAMODB_ENDPOINT: engine(), TABLE_NAME: table }), () => []],
  [
    'the engine at a port',
    (table) => ({ DYNAMODB_PORT: new URL(engine()).port, TABLE_NAME: table }),
    () => [],
  ],
])('on %s', (_, envFor, options) => {
  it('makes, lists, rotates and revokes', async () => {
    const table = `apps-${randomUUID()}`
    const apps = (...args: string[]) => json(envFor(table), ...args, ...options(table))
    const { app_id, api_key } = await apps('create', '--name', 'Shop')
    expect(await apps('list')).toEqual([{ app_id, name: 'Shop', created: expect.any(String) }])
    const second = await apps('rotate', '--app', app_id)
    expect(second).toEqual({ app_id, api_key: expect.not.stringMatching(api_key) })
    const keys = await apps('keys', '--app', app_id)
    expect(keys).toHaveLength(2)
    const { key_id } = keys[1]
    expect(await apps('revoke', '--app', app_id, '--key', key_id)).toMatchObject({
      key_id,
      revoked: expect.any(String),
    })
    expect(
      (await apps('keys', '--app', app_id)).map((key: { revoked: unknown }) => key.revoked !== null),
    ).toEqual([false, true])
  })
})

it('on a deployed table, forgets the engine that the environment names', async () => {
  const table = `apps-${randomUUID()}`
  const { app_id } = await json(
    { DYNAMODB_ENDPOINT: engine(), TABLE_NAME: table },
    'create',
    '--name',
    'Shop',
  )
  Object.assign(process.env, {
    AWS_REGION: 'x',
    DYNAMODB_ENDPOINT: 'http://127.0.0.1:1',
    TABLE_NAME: 'other',
  })
  const listed = await json(process.env, 'list', '--table', table, '--region', 'local')
  expect(listed).toEqual([expect.objectContaining({ app_id })])
  const { TABLE_NAME, AWS_REGION, DYNAMODB_ENDPOINT } = process.env
  expect([TABLE_NAME, AWS_REGION, DYNAMODB_ENDPOINT]).toEqual([table, 'local', undefined])
})

it('prints as JSON that a person can read', async () => {
  const env = { DYNAMODB_ENDPOINT: engine(), TABLE_NAME: `apps-${randomUUID()}` }
  expect(await run(['create', '--name', 'Shop'], env)).toMatch(/^\{\n {2}"app_id": /)
})

it('names every command in its usage', () => {
  expect(appsUsage).toMatch(/usage: npm run apps -- create .* list .* rotate .* keys .* revoke/)
})
