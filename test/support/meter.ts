import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb'
import { documents } from '../../shared/store/client.ts'

/** One call of DynamoDB, as the SDK sends it. */
export interface DatabaseCall {
  readonly command: string
  /** The input as it goes over the wire. */
  // biome-ignore lint/suspicious/noExplicitAny: every command has its own
  readonly input: any
  /** What the engine says that it took, on the table and its indexes together; NaN where the call failed. */
  readonly units: number
}

const unitsOf = (consumed: ConsumedCapacity | ConsumedCapacity[] | undefined): number =>
  [consumed ?? []].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0)

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
        calls.push({ command, input, units: unitsOf(ConsumedCapacity) })
        return result
      } catch (error) {
        // A failed condition tells nothing of what it took.
        calls.push({ command, input, units: Number.NaN })
        throw error
      }
    },
    { step: 'initialize', name: 'meter' },
  )
}

/** The database calls that `work` makes, in the order in which they end. */
export const metered = async (work: () => Promise<unknown>): Promise<DatabaseCall[]> => {
  listen()
  calls.length = 0
  await work()
  return [...calls]
}
