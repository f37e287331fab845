import { setTimeout as pause } from 'node:timers/promises'
import { newApiKey } from '../../shared/store/credentials.ts'
import { type Client, type Course, micros, newClient } from './client.ts'
import { race } from './races.ts'
import { KEY_CACHE_MILLIS } from './service.ts'

/** The milliseconds for which an expiring key works, and for which clocks may disagree about it. */
const LIFETIME = 500
const NEAR = 4_000

/**
 * Passed, near, or never, as for the first key. A key whose expiry is near may be refused already, since
 * clocks disagree.
 */
const expiryOf = ({ number, passed }: { readonly number: number; readonly passed: number }) => {
  if (passed < micros()) return 'passed'
  return number === 0 ? 'never' : 'near'
}

/** Commands change the application and its keys, and requests use them. */
export const raceForApplication = async (course: Course): Promise<void> => {
  const { credentials } = course
  const app = credentials.app_id
  const history = { kind: 'application', key: `application ${app}` } as const
  const keys = [{ number: 0, apiKey: credentials.api_key, passed: Number.POSITIVE_INFINITY }]
  const command = ({ record }: Client, op: string, more: object = {}, number = 0) =>
    record({ ...history, op, input: { number } }, { path: `/commands/${op}`, body: { app, ...more } })
  const add = async (client: Client) => {
    const key = { number: keys.length, apiKey: newApiKey(), passed: Number.POSITIVE_INFINITY }
    keys.push(key)
    const lifetime = client.random.choose(undefined, LIFETIME, LIFETIME)
    await command(client, 'add', { apiKey: key.apiKey, lifetime }, key.number)
    if (lifetime) key.passed = micros() + (LIFETIME + NEAR) * 1_000
    // A late attempt may follow.
    if (client.random.number(1) < 0.3) await command(client, 'revoke', { apiKey: key.apiKey }, key.number)
  }
  const request = ({ record, random }: Client) => {
    const { apiKey, number, passed } = random.choose(...keys)
    const expiry = expiryOf({ number, passed })
    const input = { number, delay: (KEY_CACHE_MILLIS + 100) * 1_000, fields: { expiry } }
    const path = '/api/products?limit=1'
    return record(
      { ...history, op: 'request', input },
      { method: 'GET', path, credentials: { app_id: app, api_key: apiKey } },
    )
  }
  const disable = (client: Client) => command(client, 'disable')
  const enable = (client: Client) => command(client, 'enable')
  const acts = [add, add, add, disable, disable, enable, enable]
  let isOver = false
  const user = async (name: string) => {
    const client = newClient(course, name)
    while (!isOver) {
      await pause(client.random.number(200))
      await request(client)
    }
  }
  const scale = async () => {
    await pause(course.random.number(1_000))
    // It decides on the application as it is now, and writes seconds later.
    await command(newClient(course, 'growth'), 'scale', { shards: 2 })
  }
  const operate = async () => {
    const act = (client: Client) => client.random.choose(...acts)(client)
    await race(course, { clients: 2, acts: 6, longestPause: 800 }, act)
    await disable(newClient(course, 'end'))
  }
  const changeAll = async () => {
    await Promise.all([scale(), operate()])
    await pause(1_500)
    await enable(newClient(course, 'end'))
    await pause(2_000)
    isOver = true
  }
  await Promise.all([changeAll(), user('user 1'), user('user 2')])
}
