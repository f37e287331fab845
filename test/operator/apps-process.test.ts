import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { upTo } from '../support/lists.ts'
import { cleanUp, freeSettings, runToEnd, startLocal } from '../support/local-process.ts'

afterAll(cleanUp)

describe('apps, as a process', () => {
  const apps = (env: Record<string, string>, line: string, input = '') =>
    runToEnd(process.execPath, ['bin/apps.ts', ...line.split(' ')], env, input)
  const json = async (env: Record<string, string>, line: string, input = '') => {
    const { code, out, err } = await apps(env, line, input)
    expect([code, err]).toEqual([0, ''])
    return JSON.parse(out)
  }
  const statusWith = async (baseUrl: string, { app_id, api_key }: Record<string, string>) => {
    const headers = { authorization: `Bearer ${api_key}`, 'x-app-id': app_id! }
    return (await fetch(`${baseUrl}/api/products`, { headers })).status
  }

  it('works while the service runs', async () => {
    const env = await freeSettings()
    const { baseUrl, child, ended, demo } = await startLocal(env)
    const first = await json(env, 'create --name Shop')
    const second = await json(env, `rotate --app ${first.app_id} --expires 1d`)
    for (const each of [first, second]) expect(await statusWith(baseUrl, each)).toBe(200)
    const listed = await json(env, 'list')
    expect(listed.map(({ app_id }: { app_id: string }) => app_id)).toEqual([demo.app_id, first.app_id])
    const keys = await json(env, `keys --app ${first.app_id}`)
    const found = await json(env, 'find --key -', `${second.api_key}\n`)
    for (const { api_key } of [first, second])
      expect(JSON.stringify([listed, keys, found])).not.toContain(api_key)

    // A key that no process has seen yet is refused at once; one in the cache for at most 60 s.
    const third = await json(env, `rotate --app ${first.app_id}`)
    const revoked = await json(env, `revoke --app ${first.app_id} --key ${third.key_id}`)
    expect(await json(env, `revoke --app ${first.app_id} --key ${third.key_id}`)).toEqual(revoked)
    const fourth = await json(env, `rotate --app ${first.app_id}`)
    await json(env, `disable --app ${first.app_id}`)
    for (const each of [third, fourth]) expect(await statusWith(baseUrl, each)).toBe(401)
    await json(env, `enable --app ${first.app_id}`)
    expect(await Promise.all([third, fourth].map((each) => statusWith(baseUrl, each)))).toEqual([401, 200])
    child.kill()
    await ended
  })

  it('works while the service does not run, also several at once, and the service finds what it made', async () => {
    const env = await freeSettings()
    const made = await Promise.all(upTo(3).map((index) => json(env, `create --name App${index}`)))
    const { baseUrl, child, ended } = await startLocal(env)
    for (const each of made) expect(await statusWith(baseUrl, each)).toBe(200)
    child.kill()
    await ended
    await json(env, `revoke --app ${made[0].app_id} --key ${made[0].key_id}`)
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

  it('removes in a process that says what it waits for, may be killed, and leaves the keys refused', async () => {
    const env = await freeSettings()
    const { app_id, api_key } = await json(env, 'create --name Shop')
    const { baseUrl, child, ended } = await startLocal(env)
    const removing = spawn(
      process.execPath,
      ['bin/apps.ts', 'remove', '--app', app_id, '--confirm', app_id],
      {
        env: { ...process.env, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    const [said] = await once(removing.stderr, 'data')
    expect(String(said)).toMatch(/^the keys stop working everywhere within \d\d s\n$/)
    removing.kill('SIGKILL')
    await once(removing, 'exit')
    expect(await statusWith(baseUrl, { app_id, api_key })).toBe(401)
    expect(await json(env, 'list')).toContainEqual(
      expect.objectContaining({ app_id, disabled: expect.any(String) }),
    )
    child.kill()
    await ended
  })

  it('tells in one line what cannot be done', async () => {
    const env = await freeSettings()
    const { app_id } = await json(env, 'create --name x')
    const one = (what: RegExp) => ({
      code: 1,
      out: '',
      err: expect.stringMatching(new RegExp(`^apps: [^\\n]*${what.source}[^\\n]*\\n$`)),
    })
    const unknown = /no application has the id "app_nobody"/
    expect(await apps(env, 'rotate --app app_nobody')).toMatchObject(one(unknown))
    const err = 'apps: --app is missing (--help shows the usage)\n'
    expect(await apps(env, 'keys')).toMatchObject({ code: 2, out: '', err })
    const absent = 'key_0123456789abcdef'
    expect(await apps(env, `revoke --app ${app_id} --key ${absent}`)).toMatchObject(
      one(new RegExp(`has no key "${absent}"`)),
    )
    expect(await apps({ ...env, DATA_DIR: '/dev/null/x' }, 'list')).toMatchObject(
      one(/cannot write to the data folder/),
    )
    expect(await apps({ ...env, DYNAMODB_ENDPOINT: `http://127.0.0.1:${env.PORT}` }, 'list')).toMatchObject(
      one(/does not work/),
    )
  })

  it('goes to AWS for a deployed table, whatever engine the environment names', async () => {
    const settings = await freeSettings()
    // An address of AWS that refuses connections stands in for a region.
    const aws = {
      ...settings,
      ...{ AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x', AWS_MAX_ATTEMPTS: '1' },
      AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${settings.PORT}`,
      DYNAMODB_ENDPOINT: 'http://127.0.0.1:1',
    }
    const { code, out, err } = await apps(aws, 'list --table billing --region eu-west-1')
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(new RegExp(`^apps: the table cannot be used: [^\\n]*${settings.PORT}[^\\n]*\\n$`))
  })
})
