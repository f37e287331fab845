import { createClient } from '../../client/index.ts'
import { setClock } from '../support/clock.ts'
import { newClient, serveForTests } from '../support/requests/service.ts'

serveForTests()

let second = 1_800_000_000
beforeAll(() => setClock(() => second * 1_000))
afterAll(() => setClock())

/** Returns a client of a new application, and a copy of the names of its customers, which `sync` updates. */
const newCopy = async () => {
  const { baseUrl, credentials } = await newClient()
  const client = createClient({ baseUrl, appId: credentials.app_id, apiKey: credentials.api_key })
  const names = new Map<string, string | null>()
  let bookmark = 0
  /** Updates the copy with the changes since the last call, from at most `maxPages` pages. Returns the number of pages. */
  const sync = async (maxPages = Number.POSITIVE_INFINITY): Promise<number> => {
    let pages = 0
    const changes = client.customers.changes({ since: bookmark, limit: 2, include: ['external_id'] })
    for await (const page of changes) {
      for (const { external_id, name, changed } of page.items) {
        names.set(external_id, name)
        expect(changed).toBeLessThanOrEqual(page.bookmark)
      }
      expect(page.heldBack).toBe(0)
      bookmark = page.bookmark
      pages += 1
      if (pages === maxPages) break
    }
    return pages
  }
  return { client, names, sync }
}

describe('changes', () => {
  it('yields changes page by page, and continues at the bookmark of the last page', async () => {
    const { client, names, sync } = await newCopy()
    for (const id of ['a', 'b', 'c', 'd', 'e']) {
      await client.customers.create({ id, name: id })
      second += 1
    }
    expect(await sync(1)).toBe(1)
    expect(Object.fromEntries(names)).toEqual({ a: 'a', b: 'b' })
    expect(await sync()).toBe(2)
    await client.customers.update('a', { name: 'A' })
    await client.customers.anonymise('b')
    second += 1
    expect(await sync()).toBe(2)
    expect(Object.fromEntries(names)).toEqual({ a: 'A', b: 'Anonymous customer', c: 'c', d: 'd', e: 'e' })
  })

  it('yields no page if nothing was recorded', async () => {
    const { sync } = await newCopy()
    expect(await sync()).toBe(0)
  })

  it.each([undefined, null, '', Number.NaN])('throws TypeError for %p as since', async (since) => {
    const { client } = await newCopy()
    const changes = client.products.changes({ since: since as number })
    const error = { name: 'TypeError', message: expect.stringMatching(/^since must be/) }
    await expect(changes.next()).rejects.toMatchObject(error)
  })
})
