import { setTimeout as pause } from 'node:timers/promises'
import { budget } from '../../shared/budget.ts'
import { setClock } from '../../shared/clock.ts'
import { setMinutesAhead } from '../support/clocks.ts'
import { newCustomerRace } from '../support/customer-race.ts'
import { pass, serveWithFaults, type WireCall, type WireFault } from '../support/fault-proxy.ts'
import { carryOut, expectLinearizable } from '../support/linearizable.ts'
import { inParallel, upTo } from '../support/lists.ts'
import { runs } from '../support/runs.ts'
import { newClient } from '../support/service.ts'
import { wireFault } from '../support/wire-faults.ts'

const proxy = serveWithFaults()
afterEach(() => setClock())

/** A network on which most attempts of writes meet a fault, at most `maxFaults` of one write. */
const badNetwork = (maxFaults: number) => {
  const late: Promise<unknown>[] = []
  const ended = Promise.withResolvers<void>()
  const arriveLate = ({ forward }: WireCall): void => {
    const delay = Math.random() < 0.5 ? ended.promise : pause(Math.random() * 150)
    late.push(delay.then(forward))
  }
  const faults: WireFault[] = [
    wireFault('throttled'),
    wireFault('internal server error'),
    wireFault('reset before commit'),
    wireFault('reset after commit'),
    async function slow(call) {
      await pause(Math.random() * 60)
      return pass(call)
    },
    async function errorAfterCommit(call) {
      await call.forward()
      return wireFault('internal server error')(call)
    },
    function lateAfterReset(call) {
      arriveLate(call)
      return wireFault('reset before commit')(call)
    },
    function twice(call) {
      arriveLate(call)
      return pass(call)
    },
  ]
  const faultsOf = new Map<string, number>()
  const fault: WireFault = (call) => {
    // All attempts of a write have one stamp, or one order if it is a create.
    const { order, stamp = order } = JSON.parse(call.body.toString()).Item
    const count = faultsOf.get(stamp.S) ?? 0
    if (count === maxFaults || Math.random() < 0.4) return pass(call)
    faultsOf.set(stamp.S, count + 1)
    return faults[Math.floor(Math.random() * faults.length)]!(call)
  }
  /** Lets the attempts arrive that are still on their way. */
  const end = async (): Promise<void> => {
    ended.resolve()
    await Promise.all(late)
  }
  return { fault, end }
}

it.each<[string, number, number[]]>([
  ['with writes that are given up', Number.POSITIVE_INFINITY, [0]],
  ['with clocks ten minutes apart that step back', budget.attempts - 1, [-10, 0, 0, 10]],
])(
  'concurrent requests to a customer on a bad network, %s, are linearizable',
  async (_, maxFaults, clocks) => {
    setMinutesAhead(() => clocks[Math.floor(Math.random() * clocks.length)]!)
    await inParallel(
      upTo(runs(8, 1_000)),
      async (number) => {
        const client = await newClient()
        const { start, race, afterwards } = await newCustomerRace(client, `n${number}`)
        const { fault, end } = badNetwork(maxFaults)
        const calls = Number.POSITIVE_INFINITY
        proxy.inject(client.credentials.app_id, { label: 'PutItem', fault, calls })
        const events = await Promise.all(
          race.map(async (operation) => {
            await pause(Math.random() * 150)
            return carryOut(operation)
          }),
        )
        await end()
        // An attempt that arrived after the test would fail the next one, whose engine is another.
        proxy.heal(client.credentials.app_id)
        for (const operation of afterwards) events.push(await carryOut(operation))
        expectLinearizable(start, events)
      },
      8,
    )
  },
)
