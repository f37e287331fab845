import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { customerBody, invoiceBody } from '../bodies.ts'
import { limitPartitions } from '../partition-limits.ts'
import type { Piece } from '../piece.ts'
import type { Measurement } from '../rows.ts'
import { newWorld, type World } from '../world.ts'
import { depthRows } from './pages.ts'

const run = promisify(execFile)
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
  let [cursor, units, queries] = ['null', 0, 0]
  for (let page = 1; page <= PAGES; page += 1) {
    const { sent, body } = await world.observe({
      endpoint: `${plural}.list`,
      query: { limit: '100', cursor },
    })
    cursor = String(body.pagination.next_cursor)
    units += sent.reduce((sum, each) => sum + each.units, 0) / PAGES
    queries = Math.max(queries, sent.length)
  }
  return { created, units, queries }
}

const unitRows = async (plural: string): Promise<Measurement[]> => {
  const [one, many] = [await listed(await newWorld(), plural), await listed(await newWorld(SHARDS), plural)]
  const common = { id: 'P18', unit: 'units' }
  return [
    {
      ...{ ...common, what: `units: page of 100 ${plural}, ${SHARDS} shards over 1` },
      ...{ ours: many.units, baseline: one.units, goal: { most: 1.6 } },
    },
    {
      ...{ ...common, what: `units: create of ${plural}, ${SHARDS} shards over 1` },
      ...{ ours: many.created, baseline: one.created, goal: { most: 1 } },
    },
    // In two rounds, no shard is queried more than twice.
    {
      ...{ id: 'P18', unit: 'calls', what: `calls: page of 100 ${plural}, ${SHARDS} shards, most` },
      ...{ ours: many.queries, goal: { most: 2 * SHARDS } },
    },
  ]
}

/** Returns the rows a second of an import of customers, if each index partition takes few writes a second. */
const importRate = async (folder: string, shards: number): Promise<number> => {
  const { endpoint, table, credentials } = await newWorld(shards)
  const limited = await limitPartitions(endpoint, PER_SECOND)
  const rows = PER_SECOND * shards * 10
  const file = join(folder, `${shards}.ndjson`)
  const lines = Array.from({ length: rows }, (_, number) =>
    JSON.stringify({ type: 'customer', data: customerBody(`customer-${number}`) }),
  )
  writeFileSync(file, `${lines.join('\n')}\n`)
  const env = { DYNAMODB_ENDPOINT: limited.endpoint, TABLE_NAME: table }
  try {
    const { stdout } = await run(process.execPath, ['bin/import.ts', file, '--app', credentials.app_id], {
      env,
    })
    const { created, unchanged, seconds } = JSON.parse(stdout)
    // A create whose answer was lost is found by the next attempt.
    const recorded = created + unchanged
    if (recorded !== rows) throw new Error(`${rows - recorded} of ${rows} rows were not recorded`)
    return rows / seconds
  } finally {
    await limited.stop()
  }
}

const importRow = async (): Promise<Measurement> => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-shards-'))
  try {
    return {
      ...{ id: 'P18', unit: '1/s', goal: { least: 6 } },
      what: `import, ${PER_SECOND} writes a second a partition, ${SHARDS} shards over 1`,
      ours: await importRate(folder, SHARDS),
      baseline: await importRate(folder, 1),
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** P18: lists in eight shards over lists in one. */
export const shards: Piece = {
  ids: ['P18'],
  run: async (setting) => [
    ...(await unitRows('customers')),
    ...(await unitRows('invoices')),
    ...(await depthRows({ id: 'P18', shards: SHARDS, goal: { most: 1.1 } }, setting)).rows,
    await importRow(),
  ],
}
