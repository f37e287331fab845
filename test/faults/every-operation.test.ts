import { budget } from '../../shared/budget.ts'
import { catalogue } from '../../shared/catalogue.ts'
import { setBudget, shortBudget } from '../support/budgets.ts'
import { serveWithFaults } from '../support/faulty-service.ts'
import { type Fault, faults } from '../support/wire-faults.ts'
import { type Case, failsCleanly, prepare, type Subject, survives } from './cases.ts'
import { operations } from './operations.ts'

const long = Boolean(process.env.LONG)
/** Sets a budget for faults that take no time: a busy machine may miss a good attempt. */
const enlargeBudget = () => setBudget({ ...shortBudget, request: 5_400, attempt: 3_000, connect: 1_000 })
// A client keeps the connect timeout that it was created with.
enlargeBudget()

const proxy = serveWithFaults()
let subjects: Subject[]
beforeAll(async () => {
  subjects = await Promise.all(operations.map((operation) => prepare(proxy, operation)))
})

/** Returns the number of operations of which one meets a fault in the short form. Few operations make a call of one label. */
const spreadOf = ({ name, slow, labels }: Fault): number => {
  if (name === 'hang' || labels?.length === 1) return 1
  return slow && !labels ? 6 : 3
}

/**
 * Returns the calls of an operation that a fault affects: all in the long form. In the short form, each operation hangs at
 * one call and meets some of the other faults, each at another call.
 */
const labelsFor = ({ labels }: Subject, fault: Fault, operation: number): string[] => {
  const possible = labels.filter((label) => fault.labels?.includes(label) ?? true)
  const turn = operation + faults.indexOf(fault)
  const spread = spreadOf(fault)
  const one = turn % spread === 0 ? Math.floor(turn / spread) % possible.length : undefined
  return long ? possible : possible.filter((_, index) => index === one)
}

/**
 * Runs so many operations in parallel, by default all, and the cases of each one after another. Fails with all failures
 * listed.
 */
const everyOperation = async (
  some: readonly Fault[],
  run: (one: Case) => Promise<void>,
  atOnce = subjects.length,
) => {
  const failures: string[] = []
  const casesOf = async (subject: Subject, index: number) => {
    for (const fault of some)
      for (const label of labelsFor(subject, fault, index))
        await run({ proxy, subject, fault, label }).catch(({ message }: Error) =>
          failures.push(`${fault.name} at ${label} of ${subject.operation.name}: ${message}`),
        )
  }
  for (let from = 0; from < subjects.length; from += atOnce)
    await Promise.all(
      subjects.slice(from, from + atOnce).map((subject, index) => casesOf(subject, from + index)),
    )
  expect(failures).toEqual([])
}

const quick = faults.filter(({ slow }) => !slow)
const slow = faults.filter((fault) => fault.slow)
const times = Array.from({ length: budget.attempts - 1 }, (_, index) => index + 1)

describe('between handler and database', () => {
  it('faults are tested for every operation of the API', () => {
    const names = operations.map(({ name }) => name.split(',')[0])
    expect([...new Set(names)].toSorted()).toEqual(catalogue.map(({ id }) => id).toSorted())
  })

  it('a temporary fault has no effect', async () => {
    enlargeBudget()
    await everyOperation(
      quick.filter(({ retried }) => retried),
      async (one) => {
        for (const calls of long ? times : [1 + (faults.indexOf(one.fault) % times.length)])
          await survives(one, calls)
      },
    )
  })

  it('a temporary fault that uses up the time of an attempt has no effect', async () => {
    setBudget({ ...shortBudget, request: 5_400, attempt: 1_700, connect: 1_000 })
    if (!long) setBudget({ attempt: 600 })
    await everyOperation(slow, (one) => survives(one, 1))
  })

  it('a permanent fault causes 503 or 500, and a retry completes the request', async () => {
    enlargeBudget()
    await everyOperation(quick, failsCleanly)
  })

  it('a permanent fault that uses up the time causes 503 in time, and a retry completes the request', async () => {
    setBudget(shortBudget)
    // A process has a limited number of queries under way, and hanging ones would delay the retries of others.
    await everyOperation(slow, failsCleanly, 12)
  })
})
