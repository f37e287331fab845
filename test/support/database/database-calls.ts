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

type CallInput = Pick<DatabaseCall, 'command' | 'input'>

/**
 * Returns the units that DynamoDB Local leaves out of its report, negative if it reports too many. For a
 * transaction it either leaves out the second unit of the writes to the table
 * (awslabs/amazon-dynamodb-local-samples#31), or reports the units of the indexes twice. It also leaves out the
 * minimum of a query, and of each key of a batch, if nothing is found.
 */
const unreportedUnits = ({ command, input }: CallInput, consumed: ConsumedCapacity): number => {
  const { CapacityUnits = 0, Table, GlobalSecondaryIndexes = {} } = consumed
  if (!process.env.DYNAMODB_LOCAL) return 0
  if (command === 'TransactWriteItemsCommand') {
    const tableUnits = Table?.CapacityUnits ?? 0
    // An entity is one item of the list, of two units in a transaction.
    const listUnits = GlobalSecondaryIndexes['by-list']?.CapacityUnits ?? 0
    return listUnits > 2 ? (tableUnits - CapacityUnits) / 2 : tableUnits
  }
  if (CapacityUnits > 0) return 0
  if (command === 'BatchGetItemCommand') {
    const { Keys, ConsistentRead } = input.RequestItems[consumed.TableName!]
    return ConsistentRead ? Keys.length : Keys.length / 2
  }
  return command === 'QueryCommand' ? 0.5 : 0
}

/** The capacity in a response: of a call of one table, or of each table of a batch or transaction. */
type ReportedCapacity = ConsumedCapacity | readonly ConsumedCapacity[] | undefined

const unitsIn = (call: CallInput, reported: ReportedCapacity = []): number => {
  const capacities = 'length' in reported ? reported : [reported]
  return capacities.reduce(
    (sum, capacity) => sum + (capacity.CapacityUnits ?? 0) + unreportedUnits(call, capacity),
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
      call.units = unitsIn(call, ConsumedCapacity)
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
