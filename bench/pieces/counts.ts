import { customerBody, discountBody, invoiceBody, priceBody } from '../bodies.ts'
import type { Piece, Setting } from '../piece.ts'
import type { Goal, Measurement } from '../rows.ts'
import { type Call, newWorld, type Observed, type World } from '../world.ts'

const units = ({ sent }: Observed): number => sent.reduce((sum, each) => sum + each.units, 0)
const written = ({ sent }: Observed): number =>
  sent.reduce((sum, each) => sum + (/^(Put|Update|Transact)/.test(each.command) ? each.units : 0), 0)
const number = ({ sent }: Observed): number => sent.length

interface Count {
  readonly id: string
  readonly what: string
  readonly call: Call
  readonly of: (observed: Observed) => number
  readonly goal: number
  readonly stretch?: number
}

const create = (plural: string, body: unknown): Call => ({ endpoint: `${plural}.create`, body })
const invoiceList = { endpoint: 'invoices.list', query: { limit: '100' } }

const counts: readonly Count[] = [
  {
    id: 'P6',
    what: 'calls: retrieve',
    call: { endpoint: 'customers.retrieve', id: 'customer' },
    of: number,
    goal: 1,
  },
  {
    id: 'P6',
    what: 'calls: create, nothing referred to',
    call: create('products', { id: 'p6', name: 'A' }),
    of: number,
    goal: 1,
  },
  {
    id: 'P6',
    what: 'calls: create of a price, one reference',
    call: create('prices', priceBody('p6')),
    of: number,
    goal: 2,
  },
  {
    id: 'P6',
    what: 'calls: create of an invoice, its references',
    call: create('invoices', invoiceBody('p6', 3)),
    of: number,
    goal: 2,
  },
  { id: 'P6', what: 'calls: list', call: { endpoint: 'customers.list' }, of: number, goal: 1 },
  {
    id: 'P6',
    what: 'calls: list with three kinds included',
    call: { endpoint: 'invoices.list', query: { include: 'line_items,subscription,customer', limit: '30' } },
    of: number,
    goal: 4,
    stretch: 2,
  },
  {
    id: 'P6',
    what: 'calls: PUT',
    call: { endpoint: 'customers.update', id: 'customer', body: { id: 'customer', name: 'New' } },
    of: number,
    goal: 2,
    stretch: 1,
  },
  {
    id: 'P7',
    what: 'write units: product',
    call: create('products', { id: 'p7', name: 'A' }),
    of: written,
    goal: 2,
  },
  {
    id: 'P7',
    what: 'write units: customer',
    call: create('customers', customerBody('p7')),
    of: written,
    goal: 2,
  },
  {
    id: 'P7',
    what: 'write units: discount',
    call: create('discounts', discountBody('p7')),
    of: written,
    goal: 2,
  },
  { id: 'P7', what: 'write units: price', call: create('prices', priceBody('p7')), of: written, goal: 3 },
  {
    id: 'P7',
    what: 'write units: invoice with 3 lines and its subscription',
    call: create('invoices', invoiceBody('p7', 3)),
    of: written,
    goal: 8,
  },
  {
    id: 'P8',
    what: 'read units: retrieve',
    call: { endpoint: 'customers.retrieve', id: 'customer' },
    of: units,
    goal: 1,
  },
]

const counted = async (world: World): Promise<Measurement[]> => {
  const rows: Measurement[] = []
  for (const { call, of, goal, stretch, ...row } of counts) {
    const most: Goal = { most: goal }
    const value = of(await world.observe(call))
    rows.push({
      ...row,
      unit: row.id === 'P6' ? 'calls' : 'units',
      ours: value,
      goal: most,
      ...(stretch ? { stretch: { most: stretch } } : {}),
    })
  }
  return rows
}

const lists = async ({ progress }: Setting): Promise<Measurement[]> => {
  const of = async (lines: number) => {
    const world = await newWorld()
    await world.observe(create('customers', customerBody('customer')))
    for (let each = 1; each <= 101; each += 1) {
      if (each % 50 === 0) progress(`invoices with ${lines} lines: ${each}`)
      await world.observe(create('invoices', invoiceBody(`i${each}`, lines)))
    }
    return world.observe(invoiceList)
  }
  const [slim, fat] = [await of(0), await of(3)]
  // An eventually consistent query costs at least half a unit for each 4 KB or part of it.
  const least = Math.ceil(slim.bytes / 4096) / 2
  return [
    {
      id: 'P8',
      what: 'read units: list of 100, over half a unit for each 4 KB answered',
      unit: 'units',
      ours: units(slim) - least,
      goal: { most: 1 },
      stretch: { most: 0.5 },
    },
    {
      id: 'P9',
      what: 'read units: 100 invoices of 3 lines, over 100 without',
      unit: 'units',
      ours: units(fat),
      baseline: units(slim),
      goal: { most: 1.1 },
      stretch: { most: 1 },
    },
  ]
}

/** P6 to P9 and P12: counts, which do not depend on the machine. */
export const countsPiece: Piece = {
  ids: ['P6', 'P7', 'P8', 'P9', 'P12'],
  run: async (setting) => {
    const world = await newWorld()
    await world.observe(create('customers', customerBody('customer')))
    await world.observe(create('products', { id: 'product', name: 'A' }))
    const rows = await counted(world)
    const { logged } = await world.observe({ endpoint: 'customers.retrieve', id: 'customer' })
    return [
      ...rows,
      ...(await lists(setting)),
      {
        id: 'P12',
        what: 'log of a successful request',
        unit: 'bytes',
        ours: Buffer.byteLength(logged) + 1,
        goal: { most: 500 },
      },
    ]
  },
}
