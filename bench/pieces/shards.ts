import { customerBody, invoiceBody } from '../bodies.ts'
import { importRate } from '../import-command.ts'
import { limitPartitions } from '../partition-limits.ts'
import type { Piece } from '../piece.ts'
import type { Measurement } from '../rows.ts'
import { newWorld, type World } from '../world.ts'
import { depthRows } from './pages.ts'

const SHARDS = 8
const PAGES = 20
const PER_SECOND = 50

/** The bodies of creates by list. */
const bodies: Readonly<Record<string, (id: string) => unknown>> = {
  customers: customerBody,
  invoices: (id) => invoiceBody(id, 0),
}

/** Returns the units of a create, and the mean units and the most queries of a page of 100. */
const listed = async (world: World, plural: string) => {
  let created = 0
  await world.observe({ endpoint: 'customers.create', body: customerBody('customer') })
  for (let number = 1; number <= PAGES * 100; number += 1) {
    const body = bodies[plural]!(`${plural}-${number}`)
    created = (await world.observe({ endpoint: `${plural}.create`, body })).sent.at(-1)!.units
  }
  let [cursor, total, queries] = ['null', 0, 0]
  for (let page = 1; page <= PAGES; page += 1) {
    const query = { limit: '100', cursor }
    const { sent, units, body } = await world.observe({ endpoint: `${plural}.list`, query })
    cursor = String(body.pagination.next_cursor)
    total += units
    queries = Math.max(queries, sent.length)
  }
  return { created, units: total / PAGES, queries }
}

const unitRows = async (plural: string): Promise<Measurement[]> => {
  const [one, many] = [await listed(await newWorld(), plural), await listed(await newWorld(SHARDS), plural)]
  const over = `${SHARDS} shards over 1`
  const row = (what: string, unit: string, ours: number, most: number): Measurement => ({
    what: `${unit}: ${what}`,
    unit,
    ours,
    goal: { most },
  })
  return [
    { ...row(`page of 100 ${plural}, ${over}`, 'units', many.units, 1.6), baseline: one.units },
    { ...row(`create of ${plural}, ${over}`, 'units', many.created, 1), baseline: one.created },
    // In two rounds, no shard is queried more than twice.
    row(`page of 100 ${plural}, ${SHARDS} shards, most`, 'calls', many.queries, 2 * SHARDS),
  ]
}

/** Returns the rows per second of an import of customers, if each index partition takes few writes per second. */
const limitedRate = async (shards: number): Promise<number> => {
  const { endpoint, table, credentials } = await newWorld(shards)
  const limited = await limitPartitions(endpoint, PER_SECOND)
  try {
    return await importRate({
      rows: PER_SECOND * shards * 10,
      prefix: 'customer',
      args: ['--app', credentials.app_id],
      env: { DYNAMODB_ENDPOINT: limited.endpoint, TABLE_NAME: table },
    })
  } finally {
    await limited.stop()
  }
}

/** P18: lists in eight shards over lists in one. */
export const shards: Piece = {
  ids: ['P18'],
  run: async (setting) => [
    ...(await unitRows('customers')),
    ...(await unitRows('invoices')),
    ...(await depthRows(SHARDS, { most: 1.1 }, setting)).rows,
    {
      what: `import, ${PER_SECOND} writes per second per partition, ${SHARDS} shards over 1`,
      unit: '1/s',
      ours: await limitedRate(SHARDS),
      baseline: await limitedRate(1),
      goal: { least: 6 },
    },
  ],
}
