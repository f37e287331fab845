import { setClock } from '../../shared/clock.ts'
import { forgetApplications } from '../../shared/store/authorisation.ts'
import { documents } from '../../shared/store/aws/client.ts'
import { disableApplication, enableApplication } from '../../tools/applications/applications.ts'
import { type Removal, removeApplication } from '../../tools/operator/remove.ts'
import { customerBody, discountBody, invoiceBody, priceBody, productBody } from '../support/bodies.ts'
import { inParallel, upTo } from '../support/lists.ts'
import { type Client, newClient, serveForTests } from '../support/service.ts'
import { grow } from '../support/shards.ts'
import { dumpTable } from '../support/table.ts'

serveForTests()
afterAll(() => setClock())
afterEach(() => {
  for (const name of ['busy', 'stop']) documents().middlewareStack.remove(name)
})

/** Without the minute in which keys stop. */
const removal = (more: Partial<Removal> = {}): Removal => ({
  keepApplication: false,
  tell: () => undefined,
  wait: async () => undefined,
  ...more,
})

/** An application with something of every noun, some of it in several shards. */
const filled = async (customers = 3): Promise<Client> => {
  const client = await newClient()
  const { id: product_id } = await client.create('/api/products', productBody())
  await client.create('/api/prices', priceBody({ product_id }))
  const { id: discount } = await client.create('/api/discounts', discountBody())
  await grow(client, 4)
  const made = await inParallel(upTo(customers), () => client.create('/api/customers', customerBody()))
  for (const { id } of made.slice(0, 2))
    await client.create('/api/invoices', invoiceBody({ customer_id: id, discounts: [discount] }))
  return client
}
const statusOf = async (client: Client): Promise<number> => {
  forgetApplications()
  return (await client.get('/api/products')).status
}
const once = <T>(work: () => Promise<T>) => {
  let result: Promise<T> | undefined
  return () => (result ??= work())
}
const appOf = ({ credentials }: Client): string => credentials.app_id
/** The items and index entries of an application, in an order of their own. */
const leftOf = async (client: Client): Promise<object[]> => {
  const items = JSON.parse(await dumpTable()) as Record<'pk' | 'sk', { S: string }>[]
  const nameOf = (item: (typeof items)[number]) => `${item.pk.S}${item.sk.S}${Object.keys(item).sort()}`
  return items
    .filter(({ pk }) => pk.S.startsWith(appOf(client)))
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
}

describe('an application that is removed', () => {
  it('leaves nothing in the table and its indexes, and no other application is changed', async () => {
    const [client, other] = [await filled(101), await filled()]
    const before = await leftOf(other)
    const told: string[] = []
    const removed = await removeApplication(appOf(client), removal({ tell: (state) => told.push(state) }))
    expect(removed).toMatchObject({
      app_id: appOf(client),
      deleted: {
        subscriptions: 2,
        invoices: 2,
        discounts: 1,
        customers: 101,
        prices: 1,
        products: 1,
        keys: 1,
      },
    })
    expect(told).toEqual(
      expect.arrayContaining([
        'the keys stop working everywhere within 66 s',
        '100 customers deleted',
        '101 customers deleted',
      ]),
    )
    expect(await leftOf(client)).toEqual([])
    expect(await leftOf(other)).toEqual(before)
    expect([await statusOf(client), await statusOf(other)]).toEqual([401, 200])
    await expect(removeApplication(appOf(client), removal())).rejects.toThrow(/^no application has the id/)
  })

  it('is deleted only when no request with a cached key can still write', async () => {
    const client = await filled()
    let waited = 0
    const wait = async (millis: number) => {
      // Keys that are not cached are refused at once, and no data is deleted before the wait ends.
      if (waited === 0 || waited === 65_000)
        expect([await statusOf(client), (await leftOf(client)).length > 2]).toEqual([401, true])
      waited += millis
    }
    await removeApplication(appOf(client), removal({ wait }))
    expect(waited).toBe(67_000)
  })

  it.each([2, 4, 6, 8, 9])(
    'is removed by another run when the first one was interrupted at its write number %i',
    async (last) => {
      const client = await filled()
      let writes = 0
      const interrupt = (
        next: (args: never) => Promise<never>,
        { commandName }: { commandName?: string },
      ) => {
        return (args: never) => {
          if (/Write|Delete|Update/.test(String(commandName))) writes += 1
          if (writes > last) throw new Error('interrupted')
          return next(args)
        }
      }
      documents().middlewareStack.add(interrupt as never, { step: 'initialize', name: 'stop' })
      await expect(removeApplication(appOf(client), removal())).rejects.toThrow('interrupted')
      documents().middlewareStack.remove('stop')
      expect([await statusOf(client), (await leftOf(client)).length > 0]).toEqual([401, true])
      await removeApplication(appOf(client), removal())
      expect(await leftOf(client)).toEqual([])
    },
  )

  it('is deleted completely even if the database leaves some items of a batch unprocessed', async () => {
    const client = await filled()
    let left = 2
    type Args = { input: { RequestItems: Record<string, unknown[]> } }
    type Next = (args: Args) => Promise<{ output: object }>
    const busy =
      (next: Next, { commandName }: { commandName?: string }) =>
      async (args: Args) => {
        const [[table, requests] = ['', []]] = Object.entries(args.input.RequestItems ?? {})
        if (commandName !== 'BatchWriteItemCommand' || requests.length < 2 || left === 0) return next(args)
        left -= 1
        const result = await next({ ...args, input: { RequestItems: { [table]: requests.slice(0, 1) } } })
        return { ...result, output: { ...result.output, UnprocessedItems: { [table]: requests.slice(1) } } }
      }
    documents().middlewareStack.add(busy as never, { step: 'initialize', name: 'busy' })
    await removeApplication(appOf(client), removal())
    expect([left, await leftOf(client)]).toEqual([0, []])
  })

  it('stays, with its keys, if it is enabled meanwhile', async () => {
    const client = await filled()
    const enabling = removal({ wait: once(() => enableApplication(appOf(client))) })
    await expect(removeApplication(appOf(client), enabling)).rejects.toThrow(/another command changed/)
    expect(await leftOf(client)).toHaveLength(2)
    await removeApplication(appOf(client), removal())
    expect(await leftOf(client)).toEqual([])
  })

  it('is reported if something still writes to it', async () => {
    const client = await newClient()
    const enable = once(() => enableApplication(appOf(client)))
    let told = ''
    const writing = removal({
      tell: (state) => {
        told = state
      },
      wait: () => (/ 1 s$|deleted$/.test(told) ? client.create('/api/customers', customerBody()) : enable()),
    })
    await expect(removeApplication(appOf(client), writing)).rejects.toThrow(
      `application ${appOf(client)} does not become empty: something still writes to it`,
    )
  })
})

describe('an application that is emptied', () => {
  const emptying = removal({ keepApplication: true })

  it('has no records and the same keys, which are refused meanwhile', async () => {
    const client = await filled()
    const statuses = new Set<number>()
    const wait = async () => void statuses.add(await statusOf(client))
    const emptied = await removeApplication(appOf(client), { ...emptying, wait })
    expect(emptied).toMatchObject({ disabled: null, deleted: { customers: 3, invoices: 2 } })
    expect([...statuses, await statusOf(client)]).toEqual([401, 200])
    for (const plural of ['products', 'prices', 'customers', 'discounts', 'invoices', 'subscriptions'])
      expect((await client.get(`/api/${plural}`)).json.data[plural]).toEqual([])
    expect(await client.create('/api/customers', customerBody())).toMatchObject({ name: 'Ann Example' })
  })

  it('stays disabled if it was before', async () => {
    const client = await filled()
    const { disabled } = await disableApplication(appOf(client))
    expect(await removeApplication(appOf(client), emptying)).toMatchObject({ disabled })
    expect(await statusOf(client)).toBe(401)
  })
})
