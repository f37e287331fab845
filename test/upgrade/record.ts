import { writeFileSync } from 'node:fs'
import { type AttributeValue, paginateScan } from '@aws-sdk/client-dynamodb'
import { currentService } from '../../shared/store/service.ts'
import { table } from '../../shared/store/table.ts'
import { addApiKey, listApiKeys, revokeApiKey } from '../../tools/applications/api-keys.ts'
import {
  createApplication,
  disableApplication,
  scaleApplication,
} from '../../tools/applications/applications.ts'
import { localClient, prepareTable } from '../../tools/local/database.ts'
import { startEngine } from '../../tools/local/engine.ts'
import { listen } from '../../tools/local/http-server.ts'
import { createGateway } from '../../tools/local/server.ts'
import { removeApplication } from '../../tools/operator/remove.ts'
import { immediateRemoval } from '../support/stack/removals.ts'
import { type Exchange, identities, type Recording } from './recording.ts'
import { changes, creates, erasures, paged, type Request, reads } from './requests.ts'

/**
 * Records what this version stores and returns, as test/upgrade/VERSION.json. Run it once, when a version is
 * released: `node test/upgrade/record.ts VERSION`. The recording of a released version never changes.
 */

const TABLE = 'recorded'

const [version] = process.argv.slice(2)
if (!version) throw new Error('usage: node test/upgrade/record.ts VERSION')

currentService().log = () => undefined
const engine = await startEngine()
await prepareTable(engine.endpoint, TABLE)
const server = createGateway()
const baseUrl = await listen(server, { host: '127.0.0.1', port: 0 })

const send = async (app: keyof typeof identities, { method, path, body }: Request): Promise<Exchange> => {
  const { app_id, api_key } = identities[app]
  const response = await fetch(baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${api_key}`, 'x-app-id': app_id, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as Exchange['answer']
  if (response.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
  return { app, method, path, body, answer }
}

const sendAll = async (app: keyof typeof identities, requests: readonly Request[]): Promise<Exchange[]> => {
  const exchanges: Exchange[] = []
  for (const request of requests) exchanges.push(await send(app, request))
  return exchanges
}

/** If there is a page in this direction. */
const lastCursor = (exchanges: readonly Exchange[], direction: 'next_cursor' | 'previous_cursor') =>
  exchanges.at(-1)?.answer.pagination?.[direction]

/** From the first page to the last, and back. */
const readAllPages = async (app: keyof typeof identities): Promise<Exchange[]> => {
  const exchanges: Exchange[] = []
  for (const path of paged) {
    exchanges.push(await send(app, { method: 'GET', path }))
    for (const direction of ['next_cursor', 'previous_cursor'] as const) {
      let cursor = lastCursor(exchanges, direction)
      while (cursor) {
        exchanges.push(await send(app, { method: 'GET', path: `${path}&cursor=${cursor}` }))
        cursor = lastCursor(exchanges, direction)
      }
    }
  }
  return exchanges
}

/** Returns the creates. */
const writeAll = async (app: keyof typeof identities): Promise<Exchange[]> => {
  const created = await sendAll(app, creates)
  await sendAll(app, [...changes, ...erasures])
  return created
}

await createApplication('Plain', { identity: identities.plain })
await createApplication('Sharded', { identity: identities.sharded })
await createApplication('Disabled', { identity: identities.disabled })
await createApplication('Removed', { identity: identities.removed })

const replays = await writeAll('plain')
await sendAll('sharded', creates.slice(0, creates.length / 2))
await scaleApplication(identities.sharded.app_id, 4, async () => undefined)
// This process caches a key for a minute after reading it, and with it the number of shards.
currentService().keyCache.clear()
replays.push(...(await writeAll('sharded')))
await writeAll('removed')

await addApiKey(identities.plain.app_id, { lifetime: 3_600_000 })
const plainKeys = await listApiKeys(identities.plain.app_id)
const expiringKey = plainKeys.find(({ expires }) => expires)!
await revokeApiKey(identities.plain.app_id, expiringKey.key_id)
await disableApplication(identities.disabled.app_id)
await removeApplication(identities.removed.app_id, immediateRemoval())

const answers: Exchange[] = []
for (const app of ['plain', 'sharded'] as const)
  answers.push(...(await sendAll(app, reads)), ...(await readAllPages(app)))

const client = localClient(engine.endpoint)
const items: Record<string, AttributeValue>[] = []
for await (const { Items = [] } of paginateScan({ client }, { TableName: TABLE })) items.push(...Items)
const recording: Recording = {
  version,
  indexes: table.indexes.map(({ name }) => name),
  items,
  replays,
  answers,
}
// One item or exchange per line, so that a diff is readable.
const lines = Object.entries(recording).map(([name, value]) => {
  const text = Array.isArray(value)
    ? `[\n${value.map((entry) => JSON.stringify(entry)).join(',\n')}\n]`
    : JSON.stringify(value)
  return `${JSON.stringify(name)}: ${text}`
})
writeFileSync(new URL(`${version}.json`, import.meta.url), `{\n${lines.join(',\n')}\n}\n`)
client.destroy()
server.close()
server.closeAllConnections()
await engine.stop()
