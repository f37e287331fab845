import { AsyncLocalStorage } from 'node:async_hooks'
import { forgetInstants, setClock } from '../../shared/clock.ts'
import { HOLD_BACK_SECONDS } from '../../shared/config.ts'
import { type HandlerLoader, sourceHandlers } from '../../tools/local/server.ts'
import { delayedIndexes } from './delayed-indexes.ts'
import { pass, type WireFault } from './fault-proxy.ts'
import { wireFault } from './wire-faults.ts'

/** Returns one of its arguments. */
export type Pick = <T>(...values: readonly T[]) => T

/** The longest way of a write, from its instant to its last signature and until DynamoDB refuses that, in milliseconds. */
export const LONGEST_WAY = 304_000
/** The milliseconds by which the clock of a process may be ahead of the right time. */
const CLOCKS = [-2_000, -700, 0, 0, 900, 2_000]
/** What the hold-back leaves for the delay of an index: it reaches back from a clock ahead to an instant of one behind. */
const LONGEST_DELAY = HOLD_BACK_SECONDS * 1_000 - LONGEST_WAY - 2 * 2_000

let time = Date.now()
const ahead = new AsyncLocalStorage<number>()

/** Lets the time stand still until a network advances it. Each request is handled by a process with a clock of its own. */
export const stopTime = (): void =>
  setClock(() => {
    // A process knows nothing of the instants of others.
    forgetInstants()
    return time + (ahead.getStore() ?? 0)
  })

/** Loads handlers, each request of which runs in a process that `pick` picks. */
export const onProcesses =
  (pick: Pick): HandlerLoader =>
  async (deployable) => {
    const handler = await sourceHandlers(deployable)
    return (event, context) => ahead.run(pick(...CLOCKS), () => handler(event, context))
  }

/** What becomes of an attempt of a write; `waits`: it arrives later and its response, too. */
const fates = [
  'passes',
  'passes',
  'passes',
  'loses its response',
  'never',
  'later',
  'later',
  'waits',
] as const

/** A write on its way. */
interface Held {
  readonly at: number
  readonly arrive: () => Promise<unknown>
}

/** Writes on their way, in the order of their arrival. */
const newRoad = () => {
  const held: Held[] = []
  return {
    /** Does `work` at a time. */
    at: <T>(at: number, work: () => Promise<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        held.push({ at, arrive: () => work().then(resolve, reject) })
      }),
    /** The milliseconds until just before the next one arrives. */
    untilNext: (): number => {
      const next = Math.min(...held.map(({ at }) => at))
      return next === Number.POSITIVE_INFINITY ? 0 : Math.max(0, next - time - 1)
    },
    /** Lets the time pass. What is on its way arrives meanwhile. */
    advance: async (millis: number): Promise<void> => {
      const end = time + millis
      for (;;) {
        const [next] = held.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)
        if (!next) break
        held.splice(held.indexOf(next), 1)
        time = Math.max(time, next.at)
        await next.arrive()
      }
      time = end
    },
  }
}

/**
 * A network that loses writes and responses, and holds attempts back for as long as DynamoDB may accept them, in front of
 * indexes that lag. A response of an index has at most `most` entries. `waiting` counts the writes that wait for the time.
 */
export const slowNetwork = (pick: Pick, most: number) => {
  const indexes = delayedIndexes({
    most,
    now: () => time,
    delay: () => pick(0, 10, 1_000, LONGEST_DELAY),
  })
  const road = newRoad()
  const firstSeen = new Map<string, number>()
  let waiting = 0
  const write: WireFault = async (call) => {
    // All attempts of a write have one instant, in this stamp or in the order within the item.
    const text = call.body.toString()
    const write = JSON.parse(text).ExpressionAttributeValues?.[':stamp'].S ?? text
    const latest = (firstSeen.get(write) ?? time) + LONGEST_WAY
    firstSeen.set(write, latest - LONGEST_WAY)
    const fate = pick(...fates)
    if (fate === 'never' || time > latest) return wireFault('reset before commit')(call)
    const later = Math.min(latest, time + pick(10, 60_000, LONGEST_WAY, LONGEST_WAY))
    if (fate === 'later') {
      road.at(later, () => indexes.land(call))
      return wireFault('reset before commit')(call)
    }
    waiting += fate === 'waits' ? 1 : 0
    const landed = fate === 'waits' ? road.at(later, () => indexes.land(call)) : indexes.land(call)
    const { status, headers, body } = await landed
    waiting -= fate === 'waits' ? 1 : 0
    if (fate === 'loses its response') return wireFault('reset before commit')(call)
    call.response.writeHead(status, headers).end(body)
  }
  const fault: WireFault = (call) => {
    if (indexes.isQuery(call)) return indexes.query(call)
    return indexes.isWrite(call) ? write(call) : pass(call)
  }
  const { advance, untilNext } = road
  return { fault, advance, untilNext, waiting: () => waiting, stop: indexes.stop }
}
