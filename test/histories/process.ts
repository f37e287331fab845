import { setTimeout as pause } from 'node:timers/promises'
import { budget } from '../../shared/budget.ts'
import { serve } from '../../shared/http/serve.ts'
import { customers } from '../../shared/resources/customer.ts'
import { entityOf } from '../../shared/store/items.ts'
import { currentService } from '../../shared/store/service.ts'
import { addApiKey, listApiKeys, revokeApiKey } from '../../tools/applications/api-keys.ts'
import {
  createApplication,
  disableApplication,
  enableApplication,
  scaleApplication,
} from '../../tools/applications/applications.ts'
import { createLocalServer, listen } from '../../tools/local/http-server.ts'
import { readBytes } from '../../tools/local/send.ts'
import { gatewayListener, type HandlerLoader, sourceHandlers } from '../../tools/local/server.ts'
import { putAs020 } from './released-writes.ts'

/**
 * A process of the service whose histories are recorded. It also carries out the operator's commands, at
 * `/commands`.
 */

const { CLOCK_AHEAD, KEY_CACHE, RELEASED } = process.env
const request = Number(process.env.REQUEST_MILLIS)
// The clock is wrong, as a machine's may be. The service corrects it by the database's clock.
const realNow = Date.now
Date.now = () => realNow() + Number(CLOCK_AHEAD)
currentService().log = () => undefined
currentService().keyCacheMillis = Number(KEY_CACHE)
Object.assign(budget, { request, connect: 3_000, attempt: 2_000, attempts: 6, longestPause: 200 })

const updateAs020 = serve(customers.update, async ({ app, id, body }) => ({
  entity: entityOf(customers.update.resource, await putAs020(app, id, body)),
}))
const load: HandlerLoader = async (deployable) =>
  RELEASED && deployable.id === 'customers.update' ? updateAs020 : sourceHandlers(deployable)

/**
 * The milliseconds within which requests end that use a key as it was before a growth. In production it is 90
 * seconds.
 */
const GROWTH_MILLIS = Number(KEY_CACHE) + request + 500

interface Parameters {
  readonly app: string
  readonly apiKey: string
  readonly lifetime?: number
  readonly shards: number
}

const revoke = async ({ app, apiKey }: Parameters): Promise<unknown> => {
  const key = (await listApiKeys(app)).find(({ ends_with }) => apiKey.endsWith(ends_with))
  return revokeApiKey(app, key?.key_id ?? '')
}

const commands: Readonly<Record<string, (parameters: Parameters) => Promise<unknown>>> = {
  create: () => createApplication('History'),
  add: ({ app, ...options }) => addApiKey(app, options),
  revoke,
  disable: ({ app }) => disableApplication(app),
  enable: ({ app }) => enableApplication(app),
  scale: ({ app, shards }) => scaleApplication(app, shards, () => pause(GROWTH_MILLIS)),
}

const api = gatewayListener(load)
const server = createLocalServer((incoming, response) => {
  const [, name] = /^\/commands\/(\w+)$/.exec(incoming.url ?? '') ?? []
  if (!name) return api(incoming, response)
  const respond = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body))
  return readBytes(incoming)
    .then((bytes) => commands[name]!(JSON.parse(String(bytes))))
    .then(
      (result) => respond(200, result),
      ({ name: kind, message }: Error) => respond(500, { kind, message }),
    )
})
process.once('disconnect', () => process.exit())
process.send?.(await listen(server, { host: '127.0.0.1', port: 0 }))
