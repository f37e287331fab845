import { setTimeout as pause } from 'node:timers/promises'
import { budget } from '../../shared/budget.ts'
import { setClock } from '../../shared/clock.ts'
import { setMinutesAhead } from '../support/clocks.ts'
import { pass, serveWithFaults, type WireFault } from '../support/fault-proxy.ts'
import { carryOut, expectLegal, newSubject, type Operation } from '../support/histories.ts'
import { inParallel, upTo } from '../support/lists.ts'
import { runs } from '../support/runs.ts'
import { newClient } from '../support/service.ts'
import { wireFault } from '../support/wire-faults.ts'

const proxy = serveWithFaults()
afterEach(() => setClock())

/** A network that holds back, duplicates, delays, loses or refuses attempts, at most `most` of one write. */
const badNetwork = (most: number) => {
  const met = new Map<string, number>()
  const late: Promise<unknown>[] = []
  const end = Promise.withResolvers<void>()
  const alsoLater =
    (fate: WireFault): WireFault =>
    (call) => {
      const moment = Math.random() < 0.5 ? end.promise : pause(Math.random() * 150)
      late.push(moment.then(call.forward))
      return fate(call)
    }
  const fates: WireFault[] = [
    ...['reset after commit', 'throttled', 'reset before commit', 'internal server error'].map(wireFault),
    async (call) => {
      await call.forward()
      return wireFault('internal server error')(call)
    },
    async (call) => {
      await pause(Math.random() * 60)
      return pass(call)
    },
    alsoLater(pass),
    alsoLater(wireFault('reset before commit')),
  ]
  const fault: WireFault = (call) => {
    const { order, stamp = order } = JSON.parse(call.body.toString()).Item
    const count = met.get(stamp.S) ?? 0
    if (count === most || Math.random() < 0.4) return pass(call)
    met.set(stamp.S, count + 1)
    return fates[Math.floor(Math.random() * fates.length)]!(call)
  }
  const settle = async (): Promise<void> => {
    end.resolve()
    await Promise.all(late)
  }
  return { fault, settle }
}

describe('histories of updates, erasures, reads and replays on a bad network', () => {
  it.each<[string, number, number[]]>([
    ['some of them given up', Number.POSITIVE_INFINITY, []],
    ['on instances whose clocks are ten minutes apart and step back', budget.attempts - 1, [-10, 0, 0, 10]],
  ])('%s, are serialisable', async (_, most, clocks) => {
    if (clocks.length > 0) setMinutesAhead(() => clocks[Math.floor(Math.random() * clocks.length)]!)
    await inParallel(
      upTo(runs(8, 1_000)),
      async (number) => {
        const client = await newClient()
        const { start, race, read, replay } = await newSubject(client, `n${number}`)
        const { fault, settle } = badNetwork(most)
        const calls = Number.POSITIVE_INFINITY
        proxy.inject(client.credentials.app_id, { label: 'PutItem', fault, calls })
        const carryOutSoon = (operation: Operation) =>
          pause(Math.random() * 150).then(() => carryOut(operation))
        const events = await Promise.all(race.map(carryOutSoon))
        await settle()
        for (const operation of [read, replay]) events.push(await carryOut(operation))
        expectLegal(start, events, { lostResponses: true })
      },
      8,
    )
  })
})
