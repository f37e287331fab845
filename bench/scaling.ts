import { stageSettings } from '../lib/stages.ts'
import { catalogue } from '../shared/catalogue.ts'
import { prices } from './prices.ts'

/** Prints which limit a growing service reaches first: the tables under "Growth" in docs/performance.md. */

/** Limits of DynamoDB and of an account in one region, as AWS publishes them. Those of tables and accounts can be raised. */
const aws = {
  partitionWrites: 1_000,
  partitionGigabytes: 10,
  tableUnits: 40_000,
  gatewayRequests: 10_000,
  lambdaConcurrency: 1_000,
} as const

/** On-demand prices in us-east-1, in dollars. */
const price = { millionWrites: prices.writeUnits, gigabyteMonth: 0.25, exportedGigabyte: 0.1 } as const

/** What a request costs, as `npm run bench -- P7 P8` counts it. How long a function is busy is an assumption. */
const cost = {
  invoice: { tableWrites: 4, indexWrites: 2, millis: 30 },
  create: { tableWrites: 1, indexWrites: 1, millis: 15 },
  retrieve: { reads: 1, millis: 10 },
  list: { reads: 1, millis: 15 },
} as const

const { table, throttle } = stageSettings('prod')
/** Throttles are per method, so all operations together admit their sum. */
const admitted = catalogue.reduce((sum, each) => sum + throttle[each.throttle].rate, 0)
const ceiling = table.ceiling?.write ?? Number.POSITIVE_INFINITY

/** Numbers of shards of a tenant's lists. */
const shards = [1, 8, 64]

const shown = (cell: string | number): string =>
  typeof cell === 'string' ? cell : cell.toLocaleString('en', { maximumFractionDigits: 0 })

const print = (title: string, heads: string[], rows: (string | number)[][]): void => {
  const lines = [heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.map(shown).join(' | ')} |`)
  console.log(`\n${title}\n\n${lines.join('\n')}`)
}

const oneTenant = (): void =>
  print(
    'Invoices per second of one tenant at which each limit is met',
    ['limit', 'met at', 'where to raise it'],
    [
      ['throttle of a writing method (prod)', throttle.write.rate, '`throttle` in lib/stages.ts'],
      ['ceiling of the table (prod)', ceiling / cost.invoice.tableWrites, '`table.ceiling` in lib/stages.ts'],
      ['ceiling of the index (prod)', ceiling / cost.invoice.indexWrites, '`table.ceiling` in lib/stages.ts'],
      ...shards.map((number) => [
        `**one list in ${number} shard${number === 1 ? '' : 's'}**`,
        aws.partitionWrites * number,
        '`apps scale`',
      ]),
      ['table quota of the account', aws.tableUnits / cost.invoice.tableWrites, 'Service Quotas'],
      ['API Gateway quota of the account', aws.gatewayRequests, 'Service Quotas'],
      [
        'Lambda concurrency of the account',
        (aws.lambdaConcurrency * 1_000) / cost.invoice.millis,
        'Service Quotas',
      ],
    ].toSorted(([, a], [, b]) => Number(a) - Number(b)),
  )

/** Tenants of very unequal size (Zipf): the n-th largest sends 1/n of what the largest sends. */
const sharesOf = (tenants: number): number[] => {
  const weights = Array.from({ length: tenants }, (_, index) => 1 / (index + 1))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return weights.map((weight) => weight / sum)
}

/** The share of its requests for which a process looks the API key up, if it keeps each key for 60 seconds. */
const lookUps = (shares: readonly number[], perSecond: number): number =>
  shares.reduce((sum, share) => sum + share / (1 + 60 * share * perSecond), 0)

/** 70 % retrieve, 15 % list, 15 % create. */
const manyTenants = (tenants: number, all: number): void => {
  const [retrieves, lists, creates] = [0.7 * all, 0.15 * all, 0.15 * all]
  const shares = sharesOf(tenants)
  const lookedUp = lookUps(shares, 1_000 / cost.retrieve.millis)
  const busy =
    (retrieves * cost.retrieve.millis + lists * cost.list.millis + creates * cost.create.millis) / 1_000
  const reads = retrieves * cost.retrieve.reads + lists * cost.list.reads + all * lookedUp
  const used: [string, number, number][] = [
    ['throttles of all operations together (prod)', admitted, all],
    ['API Gateway quota of the account', aws.gatewayRequests, all],
    ['read units of the table', aws.tableUnits, reads],
    ['write units of the busiest list', aws.partitionWrites, creates * shares[0]!],
    ['Lambda concurrency of the account', aws.lambdaConcurrency, busy],
    ['write units of the table', aws.tableUnits, creates * cost.create.tableWrites],
  ]
  print(
    `${shown(tenants)} tenants, ${shown(all)} requests per second, of which ${shown(lookedUp * 100)} % look up their API key`,
    ['limit', 'of it', 'used', 'met at requests/s'],
    used.map(([name, limit, use]) => [name, limit, use, (all * limit) / use]),
  )
}

const manyItems = (items: number): void => {
  const [inTable, inIndex] = [(items * 700) / 1e9, (items * 420) / 1e9]
  const { tableWrites, indexWrites } = cost.create
  print(
    `${shown(items)} items of 700 bytes, 420 bytes of each in the list index`,
    ['figure', 'value'],
    [
      ['table, GB', inTable],
      ['list index, GB', inIndex],
      ['partitions of the table, at least', inTable / aws.partitionGigabytes],
      ['storage a month, $', (inTable + inIndex) * price.gigabyteMonth],
      ['filling it once, $', (items * (tableWrites + indexWrites) * price.millionWrites) / 1e6],
      ['another index over it, $', (items * price.millionWrites) / 1e6],
      ['reading it once by export to S3, $', inTable * price.exportedGigabyte],
      ['chance that two of its ids are equal', `${(items ** 2 / 2 / 62 ** 22).toExponential(0)}`],
    ],
  )
}

oneTenant()
manyTenants(10_000, 20_000)
manyItems(10e9)
