import { budget } from '../../shared/budget.ts'
import { catalogue } from '../../shared/catalogue.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { serveForTests } from '../support/service.ts'
import { type Fault, faults } from '../support/wire-faults.ts'
import { failsCleanly, labelsFor, prepare, type Subject, survives } from './cases.ts'
import { operations } from './operations.ts'

// A larger budget for busy machines, since these tests do not depend on time.
Object.assign(budget, { request: 5_400, attempt: 3_000, connect: 1_000 })

let proxy: FaultProxy
serveForTests(async (engine) => {
  proxy = await startFaultProxy(engine)
  return proxy
})
let subjects: Subject[]
beforeAll(async () => {
  subjects = await Promise.all(operations.map((operation) => prepare(proxy, operation)))
})

/** Returns the calls that a fault affects: all in the long form, otherwise one, a different one for each fault. */
const tried = (subject: Subject, fault: Fault): string[] => {
  const labels = labelsFor(subject, fault)
  return process.env.LONG
    ? labels
    : labels.filter((_, index) => index === faults.indexOf(fault) % labels.length)
}

/** Runs the cases of all operations at once, and those of each operation in sequence. Reports all failures. */
const everyOperation = async (fault: Fault, run: (subject: Subject, label: string) => Promise<void>) => {
  const runs = subjects.map(async (subject) => {
    for (const label of tried(subject, fault))
      await run(subject, label).catch((cause) => {
        throw new Error(`${subject.operation.name} at ${label}: ${cause.message}`, { cause })
      })
  })
  const ends = await Promise.allSettled(runs)
  expect(ends.flatMap((end) => (end.status === 'rejected' ? [end.reason.message] : []))).toEqual([])
}

const quick = faults.filter(({ slow }) => !slow)
const times = Array.from({ length: budget.attempts - 1 }, (_, index) => index + 1)

describe('between handler and database', () => {
  it('every operation of the API is tested', () => {
    const names = operations.map(({ name }) => name.split(',')[0])
    expect([...new Set(names)].toSorted()).toEqual(catalogue.map(({ id }) => id).toSorted())
  })

  it.each(quick.filter(({ retried }) => retried))('$name: no effect if it is temporary', (fault) =>
    everyOperation(fault, async (subject, label) => {
      for (const calls of process.env.LONG ? times : [1 + (faults.indexOf(fault) % times.length)])
        await survives(proxy, subject, { fault, label, calls })
    }),
  )

  it.each(quick)('$name: $status if it lasts, and a retry completes the request', (fault) =>
    everyOperation(fault, (subject, label) => failsCleanly(proxy, subject, { fault, label })),
  )
})
