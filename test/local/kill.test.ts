import { setTimeout as pause } from 'node:timers/promises'
import { isListening } from '../../tools/local/engine.ts'
import { upTo } from '../support/lists.ts'
import { cleanUp, freeSettings, type LocalProcess, startLocal } from '../support/local-process.ts'
import { enginesOn } from '../support/processes.ts'
import { runs } from '../support/runs.ts'

afterAll(cleanUp)

const headersOf = ({ demo }: LocalProcess) => ({
  authorization: `Bearer ${demo.api_key}`,
  'x-app-id': demo.app_id,
  'content-type': 'application/json',
})

/** Creates products until the service is gone; adds the client ids of those that it acknowledged to a list. */
const write = async (service: LocalProcess, name: string, acknowledged: string[]): Promise<void> => {
  for (let number = 0; ; number += 1) {
    const id = `${name}-${number}`
    const body = JSON.stringify({ id, name: id })
    const answer = await fetch(`${service.baseUrl}/api/products`, {
      method: 'POST',
      headers: headersOf(service),
      body,
    })
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch(() => undefined)
    if (!answer) return
    if (answer.status === 200) acknowledged.push(id)
  }
}

const killed = async ({ child, ended }: LocalProcess) => {
  child.kill('SIGKILL')
  expect(await ended).toMatchObject({ signal: 'SIGKILL', err: '' })
}

describe('kill -9 of the local service while it writes', () => {
  it('loses nothing that was acknowledged, leaves no engine behind, and does not block a restart', async () => {
    const env = await freeSettings()
    const acknowledged: string[] = []
    let service = await startLocal(env)
    for (const round of upTo(runs(2, 20))) {
      const enough = acknowledged.length + 1 + Math.random() * 60
      const writers = upTo(4).map((writer) => write(service, `${round}-${writer}`, acknowledged))
      while (acknowledged.length < enough) await pause(1)
      await killed(service)
      await Promise.all(writers)
      service = await startLocal(env)
    }
    for (const id of acknowledged) {
      const response = await fetch(`${service.baseUrl}/api/products/${id}`, { headers: headersOf(service) })
      expect([response.status, await response.json()]).toEqual([
        200,
        { data: { product: expect.objectContaining({ name: id }) } },
      ])
    }
    await killed(service)
    for (let tries = 0; tries < 100 && (await isListening(Number(env.DYNAMODB_PORT))); tries += 1)
      await pause(20)
    expect(enginesOn(env.DYNAMODB_PORT)).toEqual([])
  })
})
