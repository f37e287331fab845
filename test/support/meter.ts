import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb'
import { documents } from '../../shared/store/aws/client.ts'

/** A call of DynamoDB that the SDK sent. */
export interface DatabaseCall {
  readonly command: string
  /** The marshalled input. */
  // biome-ignore lint/suspicious/noExplicitAny: its type depends on the command
  readonly input: any
  /** The capacity units that it consumed on the table and its indexes; NaN if the call failed. */
  readonly units: number
}

/**
 * The units that DynamoDB Local does not report: the second unit of a transaction's writes to the table
 * (awslabs/amazon-dynamodb-local-samples#31), and the minimum of a query that finds nothing.
 */
const leftOut = (command: string, { CapacityUnits = 0, Table }: ConsumedCapacity): number => {
  if (!process.env.DYNAMODB_LOCAL) return 0
  if (command === 'TransactWriteItemsCommand') return Table?.CapacityUnits ?? 0
  return command === 'QueryCommand' && CapacityUnits === 0 ? 0.5 : 0
}

const unitsOf = (command: string, consumed: ConsumedCapacity | ConsumedCapacity[] | undefined): number =>
  [consumed ?? []].flat().reduce((sum, each) => sum + (each.CapacityUnits ?? 0) + leftOut(command, each), 0)

const calls: DatabaseCall[] = []
let listening = false

const listen = (): void => {
  if (listening) return
  listening = true
  documents().middlewareStack.add(
    (next, context) => async (args) => {
      const input = { ...args.input, ReturnConsumedCapacity: 'INDEXES' as const }
      const command = String(context.commandName)
      try {
        const result = await next({ ...args, input })
        const { ConsumedCapacity } = result.output as {
          ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[]
        }
        calls.push({ command, input, units: unitsOf(command, ConsumedCapacity) })
        return result
      } catch (error) {
        // A failed condition does not report its units.
        calls.push({ command, input, units: Number.NaN })
        throw error
      }
    },
    { step: 'initialize', name: 'meter' },
  )
}

/** Returns the database calls of `work`, in the order in which they end. */
export const metered = async (work: () => Promise<unknown>): Promise<DatabaseCall[]> => {
  listen()
  calls.length = 0
  await work()
  return [...calls]
}
