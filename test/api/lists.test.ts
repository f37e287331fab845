import { catalogue } from '../../shared/catalogue.ts'
import { inParallel, pageAt } from '../support/lists.ts'
import { type Client, newClient, serveForTests } from '../support/service.ts'
import { record } from '../support/tenants.ts'

serveForTests()

describe('a cursor', () => {
  const lists = catalogue.filter(({ operation }) => operation === 'list').map(({ path }) => path)
  let client: Client
  const cursors = new Map<string, string>()
  beforeAll(async () => {
    client = await newClient()
    for (const mark of ['', ' 2']) await record(client, mark)
    for (const list of lists) cursors.set(list, (await pageAt(client, list, { limit: 1 })).next!)
  })

  const expectRefused = async (list: string, cursor: string) => {
    const { status, details } = await client.get(`${list}?limit=1&cursor=${encodeURIComponent(cursor)}`)
    expect([status, details]).toEqual([422, [expect.stringMatching(/^cursor must be/)]])
  }

  it.each(lists)('of %s works for no other list', async (own) => {
    const cursor = cursors.get(own)!
    expect((await pageAt(client, own, { limit: 1, cursor })).ids).toHaveLength(1)
    for (const list of lists) if (list !== own) await expectRefused(list, cursor)
  })

  it('is refused if it is forged, truncated or lengthened', async () => {
    const cursor = cursors.get('/api/products')!
    const forged = (cursor[0] === 'A' ? 'B' : 'A') + cursor.slice(1)
    const others = [cursor.slice(1), cursor.slice(0, -1), `${cursor}A`, `${cursor}=`, ` ${cursor}`]
    await inParallel([forged, ...others, 'null ', '0', '🙂', 'x'.repeat(5_000)], (text) =>
      expectRefused('/api/products', text),
    )
  })

  it('counts as absent if it is "null" or empty', async () => {
    const first = await pageAt(client, '/api/products')
    for (const query of ['cursor=null', 'cursor=', 'cursor', 'limit=null&cursor=null'])
      expect((await client.get(`/api/products?${query}`)).json.data.products).toEqual(first.items)
  })
})
