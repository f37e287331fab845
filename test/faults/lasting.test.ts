import { budget } from '../../shared/budget.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { runs } from '../support/runs.ts'
import { serveForTests } from '../support/service.ts'
import { type Fault, faults } from '../support/wire-faults.ts'
import { failsCleanly, labelsFor, prepare, type Subject, survives } from './cases.ts'
import { operations } from './operations.ts'

let proxy: FaultProxy
serveForTests(async (engine) => {
  proxy = await startFaultProxy(engine)
  return proxy
})

const slow = faults.filter((fault) => fault.slow)
// Each case occupies some of the 50 connections for seconds.
const AT_ONCE = runs(30, 15)

interface Case {
  readonly subject: Subject
  readonly fault: Fault
  readonly label: string
}

/** Returns the calls that the short form affects: each operation hangs at one call, and meets some of the other faults. */
const sampled = (labels: string[], fault: Fault, operation: number): string[] => {
  const turn = operation + slow.indexOf(fault)
  const spread = fault.labels === undefined ? 6 : 1
  return fault.name === 'hang' || turn % spread === 0
    ? labels.filter((_, index) => index === turn % labels.length)
    : []
}

const casesOf = async (index: number): Promise<Case[]> => {
  const cases: Case[] = []
  const operation = operations[index]!
  const { labels } = await prepare(proxy, operation)
  for (const fault of slow) {
    const possible = labelsFor({ labels }, fault)
    for (const label of process.env.LONG ? possible : sampled(possible, fault, index))
      cases.push({ subject: await prepare(proxy, operation), fault, label })
  }
  return cases
}

type Failures = Map<string, string[]>

const runAll = async (cases: readonly Case[], run: (one: Case) => Promise<void>): Promise<Failures> => {
  const failures: Failures = new Map(cases.map(({ fault }) => [fault.name, []]))
  const queue = [...cases]
  const worker = async () => {
    for (let one = queue.shift(); one; one = queue.shift()) {
      const { subject, fault, label } = one
      await run(one).catch((error: Error) =>
        failures.get(fault.name)?.push(`${subject.operation.name} at ${label}: ${error.message}`),
      )
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return failures
}

let passing: Failures
let lasting: Failures
beforeAll(async () => {
  const cases = (await Promise.all(operations.map((_, index) => casesOf(index)))).flat()
  const real = { ...budget }
  // After a temporary fault there is time for more than one good attempt, of which a busy machine may miss one.
  Object.assign(budget, { attempt: 1_700, request: 5_400 })
  passing = await runAll(cases, (one) => survives(proxy, one.subject, { ...one, calls: 1 }))
  Object.assign(budget, real)
  lasting = await runAll(cases, (one) => failsCleanly(proxy, one.subject, one))
}, 3_600_000)

describe('between handler and database, a fault that uses up the time', () => {
  it.each(slow)('$name: no effect if it is temporary', ({ name }) => {
    expect(passing.get(name)).toEqual([])
  })

  it.each(slow)('$name: $status within 5 s if it lasts, and a retry completes the request', ({ name }) => {
    expect(lasting.get(name)).toEqual([])
  })
})
