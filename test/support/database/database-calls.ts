import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb'
import { dynamodb } from '../../../shared/store/service.ts'

export interface DatabaseCall {
  readonly command: string
  /** With plain JavaScript values. */
  // biome-ignore lint/suspicious/noExplicitAny: its type depends on the command
  readonly input: any
  /** On the table and its indexes; NaN if the call failed. */
  readonly units: number
}

/**
 * Returns the units that DynamoDB Local leaves out of its report, negative if it reports too many. It leaves
 * out the second unit of a transaction's writes to the table (awslabs/amazon-dynamodb-local-samples#31), and
 * the minimum of a query that finds nothing. For a transaction that replaces an entity, which the index of
 * changes shows, it reports everything twice.
 */
const unreportedUnits = (command: string, consumed: ConsumedCapacity): number => {
  const { CapacityUnits = 0, Table, GlobalSecondaryIndexes = {} } = consumed
  if (!process.env.DYNAMODB_LOCAL) return 0
  if (command === 'TransactWriteItemsCommand') {
    const tableUnits = Table?.CapacityUnits ?? 0
    return 'by-change' in GlobalSecondaryIndexes ? (tableUnits - CapacityUnits) / 2 : tableUnits
  }
  return command === 'QueryCommand' && CapacityUnits === 0 ? 0.5 : 0
}

/** The capacity in a response: of a call of one table, or of each table of a batch or transaction. */
type ReportedCapacity = ConsumedCapacity | readonly ConsumedCapacity[] | undefined

const unitsIn = (command: string, reported: ReportedCapacity = []): number => {
  const capacities = 'length' in reported ? reported : [reported]
  return capacities.reduce(
    (sum, capacity) => sum + (capacity.CapacityUnits ?? 0) + unreportedUnits(command, capacity),
    0,
  )
}

const recordings = new Set<DatabaseCall[]>()
const meteredClients = new WeakSet<object>()

const listenToCalls = (): void => {
  const client = dynamodb()
  if (meteredClients.has(client)) return
  meteredClients.add(client)
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const command = String(context.commandName)
      // A failed condition does not report its units.
      const call = { command, input: args.input, units: Number.NaN }
      for (const calls of recordings) calls.push(call)
      const result = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'INDEXES' } })
      const { ConsumedCapacity } = result.output as { ConsumedCapacity?: ReportedCapacity }
      call.units = unitsIn(command, ConsumedCapacity)
      return result
    },
    { step: 'initialize', name: 'meter' },
  )
}

/** In the order in which they are sent. */
export const recordDatabaseCalls = (): DatabaseCall[] => {
  listenToCalls()
  const calls: DatabaseCall[] = []
  recordings.add(calls)
  return calls
}

/** In the order in which they are sent. */
export const databaseCallsOf = async (work: () => Promise<unknown>): Promise<DatabaseCall[]> => {
  const calls = recordDatabaseCalls()
  try {
    await work()
  } finally {
    recordings.delete(calls)
  }
  return calls
}

export const totalUnits = (calls: readonly DatabaseCall[]): number =>
  calls.reduce((sum, { units }) => sum + units, 0)
