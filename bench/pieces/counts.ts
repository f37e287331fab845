import { customerBody, discountBody, invoiceBody, priceBody } from '../bodies.ts'
import type { Piece, Setting } from '../piece.ts'
import type { Measurement } from '../rows.ts'
import { type Call, newWorld, type Observed } from '../world.ts'

/** A request that is counted, with the goal and stretch of its count. */
type Count = readonly [what: string, call: Call, goal: number, stretch?: number]

const create = (plural: string, body: unknown): Call => ({ endpoint: `${plural}.create`, body })
const retrieve: Call = { endpoint: 'customers.retrieve', id: 'customer' }
const included = { include: 'line_items,subscription,customer', limit: '30' }
const put: Call = { endpoint: 'customers.update', id: 'customer', body: { id: 'customer', name: 'New' } }

const calls: readonly Count[] = [
  ['retrieve', retrieve, 1],
  ['create, nothing referred to', create('products', { id: 'p6', name: 'A' }), 1],
  ['create of a price, one reference', create('prices', priceBody('p6')), 2],
  ['create of an invoice, its references', create('invoices', invoiceBody('p6', 3)), 2],
  ['list', { endpoint: 'customers.list' }, 1],
  ['list with three kinds included', { endpoint: 'invoices.list', query: included }, 4, 2],
  ['PUT', put, 2, 1],
]
const writes: readonly Count[] = [
  ['product', create('products', { id: 'p7', name: 'A' }), 2],
  ['customer', create('customers', customerBody('p7')), 2],
  ['discount', create('discounts', discountBody('p7')), 2],
  ['price', create('prices', priceBody('p7')), 3],
  ['invoice with 3 lines and its subscription', create('invoices', invoiceBody('p7', 3)), 8],
]

const written = ({ sent }: Observed): number =>
  sent.reduce((sum, { command, units }) => sum + (/^(Put|Update|Transact)/.test(command) ? units : 0), 0)

/** A kind of count: its measure, and how it is counted for a request. */
interface Kind {
  readonly id: string
  readonly title: string
  readonly unit: string
  readonly of: (observed: Observed) => number
  readonly counts: readonly Count[]
}

const kinds: readonly Kind[] = [
  { id: 'P6', title: 'calls', unit: 'calls', of: ({ sent }) => sent.length, counts: calls },
  { id: 'P7', title: 'write units', unit: 'units', of: written, counts: writes },
  {
    id: 'P8',
    title: 'read units',
    unit: 'units',
    of: ({ units }) => units,
    counts: [['retrieve', retrieve, 1]],
  },
]

/** Observes a list of 100 invoices with this many lines each. */
const listOf = async (lines: number, { progress }: Setting): Promise<Observed> => {
  const world = await newWorld()
  await world.observe(create('customers', customerBody('customer')))
  for (let each = 1; each <= 101; each += 1) {
    if (each % 50 === 0) progress(`invoices with ${lines} lines: ${each}`)
    await world.observe(create('invoices', invoiceBody(`i${each}`, lines)))
  }
  return world.observe({ endpoint: 'invoices.list', query: { limit: '100' } })
}

const lists = async (setting: Setting): Promise<Measurement[]> => {
  const [slim, fat] = [await listOf(0, setting), await listOf(3, setting)]
  // An eventually consistent query costs at least half a unit for each 4 KB or part of it.
  const over = slim.units - Math.ceil(slim.bytes / 4096) / 2
  const what = 'read units: list of 100, over half a unit for each 4 KB answered'
  const invoices = { what: 'read units: 100 invoices of 3 lines, over 100 without', unit: 'units' }
  const figures = { ours: fat.units, baseline: slim.units }
  return [
    { id: 'P8', what, unit: 'units', ours: over, goal: { most: 1 }, stretch: { most: 0.5 } },
    { id: 'P9', ...invoices, ...figures, goal: { most: 1.1 }, stretch: { most: 1 } },
  ]
}

/** P6 to P9 and P12: counts, which do not depend on the machine. */
export const countsPiece: Piece = {
  ids: ['P6', 'P7', 'P8', 'P9', 'P12'],
  run: async (setting) => {
    const world = await newWorld()
    await world.observe(create('customers', customerBody('customer')))
    await world.observe(create('products', { id: 'product', name: 'A' }))
    const rows: Measurement[] = []
    for (const { id, title, unit, of, counts } of kinds)
      for (const [what, call, goal, stretch] of counts) {
        const ours = of(await world.observe(call))
        const row = { id, what: `${title}: ${what}`, unit, ours, goal: { most: goal } }
        rows.push(stretch ? { ...row, stretch: { most: stretch } } : row)
      }
    const bytes = Buffer.byteLength((await world.observe(retrieve)).logged) + 1
    const log = { what: 'log of a successful request', unit: 'bytes', ours: bytes, goal: { most: 500 } }
    return [...rows, ...(await lists(setting)), { id: 'P12', ...log }]
  },
}
