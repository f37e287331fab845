import { setTimeout as pause } from 'node:timers/promises'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import {
  passThrough,
  startFaultProxy,
  type WireCall,
  type WireFault,
} from '../support/database/fault-proxy.ts'
import { wireFault } from '../support/database/wire-faults.ts'
import { delayedIndexes, LONGEST_INDEX_DELAY } from './indexes.ts'
import type { Random } from './random.ts'

/** The time of a request in seconds, in which a busy machine is slow. */
export const REQUEST_SECONDS = 5

/** The maximum milliseconds for which an attempt is held. */
const LONGEST_HELD = 1_000

/**
 * The maximum difference of two clocks in seconds, if each is wrong by the 2 s that the service tolerates.
 */
const CLOCK_SECONDS = 2 * 2

/**
 * The longest way of a write in seconds: its attempts, a held one, an index, two clocks, and 2 s more, for
 * which a busy machine may stand still.
 */
export const HOLD_BACK_SECONDS =
  REQUEST_SECONDS + (LONGEST_HELD + LONGEST_INDEX_DELAY) / 1_000 + CLOCK_SECONDS + 2

/** The seconds after a write in which a change feed may hold it back, by the whole seconds of any clock. */
export const SETTLED_SECONDS = HOLD_BACK_SECONDS + CLOCK_SECONDS + 1

/** How long after its acknowledgement a list may not show an entity, in microseconds. */
export const LIST_DELAY = (LONGEST_INDEX_DELAY + 1_000) * 1_000

type Written = { readonly Item?: Record<string, never> }

/** Returns the items of entities that a request writes. */
const entitiesIn = (body: string) => {
  const { TransactItems, ...put } = JSON.parse(body) as Written & { TransactItems?: { Put?: Written }[] }
  const puts = TransactItems?.map(({ Put = {} }) => Put) ?? [put]
  return puts.flatMap(({ Item }) => (Item ? [unmarshall(Item)] : [])).filter(({ sk }) => sk === 'ENTITY')
}

/** Returns the faults of one process's calls, which `observed` shows to the indexes. */
const faultsOf = (
  random: Random,
  counts: Record<string, number>,
  observed: (call: WireCall) => WireCall,
): WireFault => {
  // Long enough for one other write, or for so many that an item forgets the stamp of a write.
  const someTime = () => pause(random.number(random.choose(100, 300, LONGEST_HELD)))
  const later = async ({ forward }: WireCall): Promise<void> => {
    await someTime()
    await forward()
  }
  const faults: Readonly<Record<string, WireFault>> = {
    lost: async (call) => {
      if (random.number(1) < 0.8) await call.forward()
      await someTime()
      call.request.socket.resetAndDestroy()
    },
    held: (call) => {
      call.request.socket.resetAndDestroy()
      return later(call)
    },
    abandoned: (call) => {
      // The service does not try again, as if the time of the request were over.
      void wireFault('access denied')(call)
      return later(call)
    },
    repeated: async (call) => {
      await Promise.all([passThrough(call), later(call)])
    },
    delayed: async (call) => {
      await someTime()
      return passThrough(call)
    },
    refused: (call) =>
      wireFault(random.choose('throttled', 'internal server error', 'service unavailable'))(call),
  }
  const names = Object.keys(faults)
  return (call) => {
    // Faults of writes matter most, and a read that fails too often only makes requests fail.
    const isWrite = /Put|Transact|Update/.test(String(call.request.headers['x-amz-target']))
    if (random.number(1) > (isWrite ? 0.3 : 0.04)) return passThrough(observed(call))
    const name = random.choose(...names, 'lost')
    counts[name] = (counts[name] ?? 0) + 1
    return faults[name]!(observed(call))
  }
}

/** The faults of all proxies to the database, which show the lists of entities with a delay. */
export const newNetwork = (engine: string, random: Random) => {
  const counts: Record<string, number> = {}
  const indexes = delayedIndexes(random.forTask('indexes'))
  // A repeated transaction succeeds without being executed again.
  const executed = new Set<string>()

  /** Lets the indexes show what a call writes, and answer a call that queries them. */
  const observed = (call: WireCall): WireCall => {
    const body = call.body.toString()
    return {
      ...call,
      forward: async () => {
        const response = await call.forward()
        if (response.status === 200 && /"(Item|TransactItems)":/.test(body) && !executed.has(body)) {
          executed.add(body)
          for (const item of entitiesIn(body)) indexes.record(item)
        }
        if (!/"IndexName"/.test(body) || !/#(customers|subscriptions|invoices)/.test(body)) return response
        return { ...response, headers: {}, body: Buffer.from(indexes.query(body)) }
      },
    }
  }
  const connect = async (name: string) => {
    const fault = faultsOf(random.forTask(`network of ${name}`), counts, observed)
    const proxy = await startFaultProxy(engine)
    proxy.inject('*', { label: '*', fault, calls: Number.POSITIVE_INFINITY })
    return proxy
  }
  return { counts, connect }
}
