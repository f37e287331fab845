import type { Client } from './service.ts'

/** A request and its response, in the notation of the specification, which writes ids as `<customer_id>`. */
export interface Exchange {
  /**
   * Method and path. Names in angle brackets, here and in the body, stand for ids and cursors of earlier responses:
   * `<price_id>` and `<price_id_2>` for the first and the second price, `<next_cursor>` for that of the last page.
   */
  readonly request: string
  readonly body?: object
  /** Default: 200. */
  readonly status?: number
  /** The whole response, with names in place of ids and cursors. Default: any. */
  readonly response?: object
}

const kinds: Readonly<Record<string, string>> = {
  prod: 'product',
  price: 'price',
  cus: 'customer',
  disc: 'discount',
  inv: 'invoice',
  sub: 'subscription',
}
const serverId = new RegExp(`\\b(${Object.keys(kinds).join('|')})_[0-9A-Za-z]{16,}\\b`, 'g')

/**
 * Returns a function that sends a request with the headers of the reference examples, expects its response, and returns
 * the response's JSON, with names in place of ids and cursors. It knows the ids and cursors of all earlier responses.
 */
// biome-ignore lint/suspicious/noExplicitAny: a response of any kind
export const exchangesWith = (client: Client): ((exchange: Exchange) => Promise<any>) => {
  const values = new Map<string, string>()
  const filled = (text: string): string =>
    [...values].reduce((all, [name, value]) => all.replaceAll(name, value), text)
  const nameOf = (id: string, prefix: string): string => {
    const known = [...values].find(([, value]) => value === id)
    if (known) return known[0]
    const kind = `<${kinds[prefix]}_id`
    const before = [...values.keys()].filter((name) => name.startsWith(kind)).length
    const name = before === 0 ? `${kind}>` : `${kind}_${before + 1}>`
    values.set(name, id)
    return name
  }
  return async ({ request, body, status = 200, response }) => {
    const [method = '', path = ''] = filled(request).split(' ')
    const raw = body && filled(JSON.stringify(body))
    const headers = { accept: 'application/json' }
    const received = await client.call(method, path, { headers, ...(raw === undefined ? {} : { raw }) })
    const json = JSON.parse(JSON.stringify(received.json).replaceAll(serverId, nameOf))
    for (const name of ['next_cursor', 'previous_cursor']) {
      const cursor = json.pagination?.[name]
      if (typeof cursor !== 'string') continue
      values.set(`<${name}>`, cursor)
      json.pagination[name] = `<${name}>`
    }
    const expected = { request, status, response: response ?? json }
    expect({ request, status: received.status, response: json }).toEqual(expected)
    return json
  }
}
