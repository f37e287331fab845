import { hostForTests, jsonOf } from '../support/test-host.ts'

const { host, call } = hostForTests({})

describe('the controls', () => {
  const control = async (method: string, path: string, body?: unknown) => {
    const response = await call(method, `/__test${path}`, body)
    return { status: response.status, json: (await jsonOf(response)) as { errors?: { detail: string }[] } }
  }

  it('are not the API: no fault concerns them', async () => {
    host().faults.add({ answer: 500 })
    const { status, json: access } = await control('GET', '')
    expect([status, access]).toEqual([
      200,
      {
        base_url: host().baseUrl,
        app_id: host().appId,
        api_key: host().apiKey,
        control_url: `${host().baseUrl}/__test`,
      },
    ])
    expect(await control('POST', '/faults', { answer: 429 })).toEqual({ status: 200, json: {} })
    expect((await control('GET', '/faults')).json).toEqual({ faults: [{ answer: 500 }, { answer: 429 }] })
    expect((await control('DELETE', '/faults')).json).toEqual({})
    expect((await control('GET', '/faults/')).json).toEqual({ faults: [] })
  })

  it('say where there is none, and not at any length', async () => {
    const { status, json: said } = await control('GET', `/${'a'.repeat(400)}`)
    expect(status).toBe(404)
    expect(said.errors?.[0]?.detail).toMatch(
      /^There is no GET \/__test\/a{192}; there are: GET \/__test, POST \/__test\/reset, /,
    )
  })

  it('say what is wrong with a seed, a clock and a body', async () => {
    const reset = await control('POST', '/reset', { seed: { customers: [{}] } })
    expect([reset.status, reset.json.errors?.[0]?.detail]).toEqual([
      422,
      expect.stringMatching(/^seed\.customers\[0\] is refused: .*\.$/),
    ])
    for (const body of [{ now: 'noon' }, { now: 7 }]) {
      const clock = await control('PUT', '/clock', body)
      expect([clock.status, clock.json.errors?.[0]?.detail]).toEqual([
        422,
        expect.stringMatching(/^now must be/),
      ])
    }
    const broken = await fetch(`${host().baseUrl}/__test/faults`, { method: 'POST', body: '{' })
    expect([broken.status, await jsonOf(broken)]).toEqual([
      400,
      { errors: [expect.objectContaining({ detail: 'The body must be JSON.' })] },
    ])
    expect((await control('POST', '/reset')).status).toBe(200)
    expect((await control('PUT', '/clock', null)).status).toBe(200)
    expect((await control('PUT', '/clock', { now: '2030-01-01' })).status).toBe(200)
  })
})
