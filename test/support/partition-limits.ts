import { pass, startFaultProxy, type WireFault } from './fault-proxy.ts'
import { wireFault } from './wire-faults.ts'

/** A proxy in front of an engine, whose index partitions take a limited number of writes per second. */
export interface LimitedEngine {
  readonly endpoint: string
  /** The writes that each partition of the lists has taken. */
  readonly taken: Map<string, number>
  /** The number of writes refused. */
  refused(): number
  stop(): Promise<void>
}

interface Put {
  readonly Item?: { readonly list?: { readonly S: string } }
}

/** The partitions of the indexes that a call writes to. */
const partitionsIn = (body: string): string[] => {
  const { Item, TransactItems = [] } = JSON.parse(body) as Put & { TransactItems?: { Put?: Put }[] }
  return [{ Item }, ...TransactItems.map(({ Put }) => Put)].flatMap((put) => put?.Item?.list?.S ?? [])
}

/** Bursts of a tenth of a second are taken at once. DynamoDB takes longer ones, but promises none. */
const BURST_SECONDS = 0.1

/** Returns a function that tells whether a partition takes one more write now. */
const newLimits = (perSecond: number) => {
  const buckets = new Map<string, { left: number; at: number }>()
  const most = perSecond * BURST_SECONDS
  return (partition: string): boolean => {
    const at = performance.now()
    const bucket = buckets.get(partition) ?? { left: most, at }
    const left = Math.min(most, bucket.left + ((at - bucket.at) / 1_000) * perSecond)
    buckets.set(partition, { left: left >= 1 ? left - 1 : left, at })
    return left >= 1
  }
}

/** Starts a proxy that lets each partition of a list take `perSecond` creates per second, and refuses further ones. */
export const limitPartitions = async (engine: string, perSecond: number): Promise<LimitedEngine> => {
  const taken = new Map<string, number>()
  const hasRoom = newLimits(perSecond)
  let refused = 0
  const limit: WireFault = (call) => {
    const partitions = partitionsIn(call.body.toString())
    if (!partitions.every(hasRoom)) {
      refused += 1
      const isTransaction = String(call.request.headers['x-amz-target']).endsWith('TransactWriteItems')
      return wireFault(isTransaction ? 'transaction cancelled by throttling' : 'throttled with reasons')(call)
    }
    for (const partition of partitions) taken.set(partition, (taken.get(partition) ?? 0) + 1)
    return pass(call)
  }
  const proxy = await startFaultProxy(engine)
  proxy.inject('*', { label: '*', fault: limit, calls: Number.POSITIVE_INFINITY })
  return { endpoint: proxy.endpoint, taken, refused: () => refused, stop: proxy.stop }
}
