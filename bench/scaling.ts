import { stageSettings } from '../lib/stages.ts'
import { account, cost, dynamodb, price } from './scaling/limits.ts'
import { taken } from './scaling/partitions.ts'
import { pageCost } from './scaling/shards.ts'
import { largestShare, lookUps } from './scaling/tenants.ts'

/** Which limit is met first when the service grows: the figures of docs/performance.md. `node bench/scaling.ts` */

type Cell = string | number
const shown = (cell: Cell): string =>
  typeof cell === 'string' ? cell : cell.toLocaleString('en', { maximumFractionDigits: cell < 10 ? 2 : 0 })

const print = (title: string, heads: readonly string[], rows: readonly (readonly Cell[])[]): void => {
  const cells = [heads, heads.map(() => '---'), ...rows.map((row) => row.map(shown))]
  const widths = heads.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)))
  const lines = cells.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`,
  )
  console.log(`\n${title}\n\n${lines.join('\n')}`)
}

const prod = stageSettings('prod')
const ceiling = prod.table.ceiling?.write ?? Number.POSITIVE_INFINITY
const concurrent = (perSecond: number, millis: number) => (perSecond * millis) / 1_000

/** One tenant that writes 5,000 invoices a second. */
const oneTenant = (): void => {
  const { table, invoicesList, subscriptionsList, millis } = cost.invoice
  print(
    'One tenant, invoices a second at which each limit is met (wanted: 5,000)',
    ['limit', 'at', 'where to raise it'],
    [
      [
        'our throttle of a writing method (prod)',
        prod.throttle.write.rate,
        '`throttle.write`, `throttle.stage` in lib/stages.ts',
      ],
      ['our ceiling of the table (prod)', ceiling / table, '`table.ceiling` in lib/stages.ts'],
      [
        '**one list of one tenant: a partition of the index**',
        dynamodb.partitionWrites / invoicesList,
        'the design: see shards below',
      ],
      [
        'our ceiling of the index (prod)',
        ceiling / (invoicesList + subscriptionsList),
        '`table.ceiling` in lib/stages.ts',
      ],
      ['table quota of the account', dynamodb.tableUnits / table, 'Service Quotas'],
      ['API Gateway quota of the account', account.gatewayRequests, 'Service Quotas'],
      ['Lambda concurrency of the account', (account.lambdaConcurrency * 1_000) / millis, 'Service Quotas'],
    ],
  )
}

/** What its list takes when it is kept in several shards. */
const shardedWrites = (): void => {
  const after = (shards: number, keys: 'rising' | 'spread') =>
    taken({ wanted: 5_000 / shards, keys, seconds: 600 }).map((each) => each * shards)
  const minutes = [1, 2, 5, 10]
  print(
    'Writes a second that the list takes, after so many minutes of 5,000 wanted',
    ['list', ...minutes.map((each) => `${each} min`)],
    [
      ['one, in creation order (today)', ...minutes.map((each) => after(1, 'rising')[each * 60 - 1]!)],
      [
        'one, if its keys were spread (order lost)',
        ...minutes.map((each) => after(1, 'spread')[each * 60 - 1]!),
      ],
      ['4 shards in creation order', ...minutes.map((each) => after(4, 'rising')[each * 60 - 1]!)],
      ['8 shards in creation order', ...minutes.map((each) => after(8, 'rising')[each * 60 - 1]!)],
    ],
  )
}

/** What reading it then costs. */
const shardedReads = (): void => {
  print(
    'What a page of a sharded list costs',
    ['shards', 'invoices/s', 'queries', 'rounds', 'units, 20', 'units, 100'],
    [1, 2, 4, 8, 16].map((shards) => {
      const [twenty, hundred] = [pageCost(shards, 20), pageCost(shards, 100)]
      return [
        shards,
        shards * dynamodb.partitionWrites,
        hundred.queries,
        hundred.rounds,
        twenty.units,
        hundred.units,
      ]
    }),
  )
}

/** 10,000 tenants at 20,000 requests a second: 70 % retrieve, 15 % list, 15 % create. */
const manyTenants = (): void => {
  const [all, tenants] = [20_000, 10_000]
  const [retrieves, lists, creates] = [0.7 * all, 0.15 * all, 0.15 * all]
  const perSecond = 1_000 / cost.retrieve.millis
  const missed = lookUps({ tenants, perSecond, seconds: 600, keptSeconds: 60, entries: 1_000 })
  const busy =
    concurrent(retrieves, cost.retrieve.millis) +
    concurrent(lists, cost.list.millis) +
    concurrent(creates, cost.create.millis)
  const reads = retrieves * cost.retrieve.reads + lists * cost.list.reads + all * missed
  const top = largestShare(tenants)
  print(
    `${tenants.toLocaleString('en')} tenants, ${all.toLocaleString('en')} requests a second`,
    ['limit', 'of it', 'used', 'met at requests/s'],
    [
      ['our throttle of the stage (prod)', prod.throttle.stage.rate, all, prod.throttle.stage.rate],
      ['API Gateway quota of the account', account.gatewayRequests, all, account.gatewayRequests],
      [
        'Lambda concurrency of the account',
        account.lambdaConcurrency,
        busy,
        (all * account.lambdaConcurrency) / busy,
      ],
      ['read units of the table', dynamodb.tableUnits, reads, (all * dynamodb.tableUnits) / reads],
      ['write units of the table', dynamodb.tableUnits, creates, (all * dynamodb.tableUnits) / creates],
      [
        'write units of the busiest list',
        dynamodb.partitionWrites,
        creates * top,
        (all * dynamodb.partitionWrites) / (creates * top),
      ],
    ],
  )
  console.log(
    `\nThe largest tenant sends ${shown(top * 100)} % of all; ${shown(missed * 100)} % of requests look up their API key.`,
  )
}

/** A table of ten billion items. */
const manyItems = (): void => {
  const items = 10e9
  const gigabytes = (bytes: number) => (items * bytes) / 1e9
  const [table, index] = [gigabytes(700), gigabytes(420)]
  print(
    'Ten billion items of 700 bytes, 420 bytes of each in the list index',
    ['figure', 'value'],
    [
      ['table, GB', table],
      ['list index, GB', index],
      ['partitions of the table, at least', table / dynamodb.partitionGigabytes],
      ['storage a month, $', (table + index) * price.perGigabyteMonth],
      ['filling it once, $', (items * (cost.create.table + cost.create.list) * price.perMillionWrites) / 1e6],
      ['another index over it, $', (items * price.perMillionWrites) / 1e6],
      ['reading it once by export to S3, $', table * 0.1],
      ['chance that two of its ids are equal', `${(items ** 2 / 2 / 62 ** 22).toExponential(0)}`],
    ],
  )
}

oneTenant()
shardedWrites()
shardedReads()
manyTenants()
manyItems()
