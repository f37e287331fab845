import { run } from '../../shared/operator/apps.ts'
import { upTo } from '../support/lists.ts'
import { cleanUp, freeSettings, runToEnd, startLocal } from '../support/local-process.ts'

afterAll(cleanUp)

const apps = (env: Record<string, string>, ...args: string[]) =>
  runToEnd(process.execPath, ['bin/apps.ts', ...args], env)

const json = async (env: Record<string, string>, ...args: string[]) => {
  const { code, out, err } = await apps(env, ...args)
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(out)
}

const statusWith = async (baseUrl: string, { app_id, api_key }: Record<string, string>) =>
  (
    await fetch(`${baseUrl}/api/products`, {
      headers: { authorization: `Bearer ${api_key}`, 'x-app-id': app_id! },
    })
  ).status

describe('apps', () => {
  it('creates an application, adds a key, shows both, and revokes one, while the service runs', async () => {
    const env = await freeSettings()
    const { baseUrl, child, ended, demo } = await startLocal(env)
    const first = await json(env, 'create', '--name', 'Shop "ü"')
    expect(first).toEqual({
      app_id: expect.stringMatching(/^app_\w+$/),
      api_key: expect.stringMatching(/^bdk_\w+$/),
    })
    const second = await json(env, 'rotate', '--app', first.app_id)
    expect(second.app_id).toBe(first.app_id)
    expect(second.api_key).not.toBe(first.api_key)
    for (const each of [first, second]) expect(await statusWith(baseUrl, each)).toBe(200)

    const listed = await json(env, 'list')
    expect(Object.keys(listed[0])).toEqual(['app_id', 'name', 'created'])
    expect(listed).toEqual([
      { app_id: demo.app_id, name: 'Demo', created: expect.any(String) },
      { app_id: first.app_id, name: 'Shop "ü"', created: expect.any(String) },
    ])
    const keys = await json(env, 'keys', '--app', first.app_id)
    const shown = (apiKey: string) => ({
      key_id: expect.stringMatching(/^key_\w+$/),
      created: expect.any(String),
      ends_with: apiKey.slice(-4),
      revoked: null,
    })
    expect(keys).toEqual([shown(first.api_key), shown(second.api_key)])
    for (const { api_key } of [first, second]) expect(JSON.stringify([listed, keys])).not.toContain(api_key)

    // A key that no process has seen yet is refused at once; one in the cache for at most 60 s.
    const third = await json(env, 'rotate', '--app', first.app_id)
    const { key_id } = (await json(env, 'keys', '--app', first.app_id))[2]
    const revoked = await json(env, 'revoke', '--app', first.app_id, '--key', key_id)
    expect(revoked).toMatchObject({ key_id, revoked: expect.any(String) })
    expect(await json(env, 'revoke', '--app', first.app_id, '--key', key_id)).toEqual(revoked)
    expect(await statusWith(baseUrl, third)).toBe(401)
    for (const each of [first, second]) expect(await statusWith(baseUrl, each)).toBe(200)
    child.kill()
    await ended
  })

  it('works while the service does not run, also several at once, and the service finds what it made', async () => {
    const env = await freeSettings()
    const made = await Promise.all(upTo(3).map((index) => json(env, 'create', '--name', `App ${index}`)))
    const { baseUrl, child, ended } = await startLocal(env)
    for (const each of made) expect(await statusWith(baseUrl, each)).toBe(200)
    child.kill()
    await ended
    const [{ key_id }] = await json(env, 'keys', '--app', made[0].app_id)
    await json(env, 'revoke', '--app', made[0].app_id, '--key', key_id)
    const again = await startLocal(env)
    expect(await Promise.all(made.map((each) => statusWith(again.baseUrl, each)))).toEqual([401, 200, 200])
    // What runs on this folder with another engine port is told from what does not run.
    const elsewhere = await apps({ ...env, DYNAMODB_PORT: (await freeSettings()).DYNAMODB_PORT }, 'list')
    expect(elsewhere).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^apps: [^\n]*in use by another service[^\n]*\n$/),
    })
    again.child.kill()
    await again.ended
  })

  it.each([
    [[], /^a command is missing$/],
    [['destroy'], /^"destroy" is not a command of apps$/],
    [['constructor'], /^"constructor" is not a command of apps$/],
    [['list', 'all'], /^"apps list" does not take "all"$/],
    [['create'], /^--name is missing$/],
    [['create', '--name', ''], /^--name is missing$/],
    [['create', '--name'], /^[^\n]*--name[^\n]*$/],
    [['create', '--nome', 'x'], /^[^\n]*--nome[^\n]*$/],
    [['list', '--name', 'x'], /^"apps list" does not take --name$/],
    [['rotate'], /^--app is missing$/],
    [['revoke', '--app', 'x'], /^--key is missing$/],
    [['list', '--region', 'eu-west-1'], /^--region goes with --table$/],
  ])('%j is told its fault in a line, before anything is opened', async (args, told) =>
    expect(run(args, { DATA_DIR: '/dev/null/nowhere' })).rejects.toThrow(told),
  )

  it('tells in one line what cannot be done', async () => {
    const env = await freeSettings()
    const { app_id } = await json(env, 'create', '--name', 'x')
    const one = (what: RegExp) => ({
      code: 1,
      out: '',
      err: expect.stringMatching(new RegExp(`^apps: [^\\n]*${what.source}[^\\n]*\\n$`)),
    })
    expect(await apps(env, 'rotate', '--app', 'app_nobody')).toMatchObject(
      one(/no application has the id "app_nobody"/),
    )
    expect(await apps(env, 'keys')).toMatchObject({
      code: 2,
      out: '',
      err: 'apps: --app is missing (--help shows the usage)\n',
    })
    expect(await apps(env, 'revoke', '--app', app_id, '--key', 'key_none')).toMatchObject(
      one(/has no key "key_none"/),
    )
    expect(await apps({ ...env, DATA_DIR: '/dev/null/x' }, 'list')).toMatchObject(
      one(/cannot write to the data folder/),
    )
    expect(await apps({ ...env, DYNAMODB_ENDPOINT: `http://127.0.0.1:${env.PORT}` }, 'list')).toMatchObject(
      one(/does not work/),
    )
  })

  it('goes to AWS for a deployed table, whatever engine the environment names', async () => {
    const env = {
      ...(await freeSettings()),
      AWS_ACCESS_KEY_ID: 'x',
      AWS_SECRET_ACCESS_KEY: 'x',
      AWS_MAX_ATTEMPTS: '1',
    }
    // An address of AWS that refuses connections stands in for a region.
    const aws = {
      ...env,
      AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${env.PORT}`,
      DYNAMODB_ENDPOINT: 'http://127.0.0.1:1',
    }
    const { code, out, err } = await apps(aws, 'list', '--table', 'billing', '--region', 'eu-west-1')
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(new RegExp(`^apps: the table cannot be used: [^\\n]*${env.PORT}[^\\n]*\\n$`))
  })
})
