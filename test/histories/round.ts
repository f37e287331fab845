import { setTimeout as pause } from 'node:timers/promises'
import type { Credentials } from '../../shared/store/credentials.ts'
import { upTo } from '../support/lists.ts'
import { readersOf } from './lists.ts'
import { HOLD_BACK_SECONDS } from './network.ts'
import {
  type Course,
  createPayer,
  raceForApplication,
  raceForCustomer,
  raceForSubscription,
} from './races.ts'
import type { Random } from './random.ts'
import { micros, newRecorder, type Operation } from './recorder.ts'
import type { ServiceProcess } from './service.ts'

type Raced = Awaited<ReturnType<typeof raceForCustomer | typeof raceForSubscription>>

/**
 * Runs races and readers of lists at once on new applications. Returns the history, and `settle`, which waits until nothing
 * is held back any more and adds what copies of the lists show.
 */
export const runRound = async (all: readonly ServiceProcess[], random: Random) => {
  const history: Operation[] = []
  const present = all.filter(({ isReleased }) => !isReleased)
  const operator = newRecorder(history, present, random.of('operator'))
  const courseOf = async (name: string, processes: readonly ServiceProcess[] = present): Promise<Course> => {
    const { json } = await operator.insist({ path: '/commands/create', body: {} })
    return { history, random: random.of(name), processes, credentials: json as Credentials }
  }
  // A copy does not see what a process of 0.2.0 changes.
  const [followed, mixed] = await Promise.all([courseOf('followed'), courseOf('mixed', all)])
  const { credentials } = followed
  await createPayer(followed)
  const [customers, subscriptions, invoices] = ['customers', 'subscriptions', 'invoices'].map((plural) =>
    readersOf(plural, followed),
  ) as [Readers, Readers, Readers]
  let isOver = false
  const raceApplications = async (): Promise<void> => {
    await Promise.all(upTo(3).map(async (name) => raceForApplication(await courseOf(`application ${name}`))))
    isOver = true
  }
  const repeat = async (workers: number, work: (name: string) => Promise<unknown>): Promise<void> => {
    const one = async (worker: number) => {
      for (let number = 1; !isOver; number += 1) await work(`${worker}-${number}`)
    }
    await Promise.all(upTo(workers).map(one))
  }
  const raced: Raced[] = []
  const at = (course: Course, name: string) => ({ ...course, random: course.random.of(name) })
  // A command that is killed leaves shards that are read, but not written to.
  const scale = (shards: number) =>
    operator.send({ path: '/commands/scale', body: { app: credentials.app_id, shards } })
  await Promise.all([
    repeat(9, async (name) => raced.push(await raceForCustomer(at(followed, name), name))),
    // An item remembers the stamps of four updates, and 0.2.0 repeats one that it has forgotten.
    repeat(4, (name) => raceForCustomer(at(mixed, name), `mixed-${name}`, 2)),
    repeat(5, async (name) => raced.push(await raceForSubscription(at(followed, name), name))),
    raceApplications(),
    ...[customers, invoices].map(({ walk }) => repeat(1, walk)),
    ...[customers, subscriptions].map(({ followSome }) => repeat(1, followSome)),
    pause(random.number(1_000)).then(() => scale(2)),
  ])
  const settle = async (): Promise<readonly Operation[]> => {
    const settled = performance.now() + HOLD_BACK_SECONDS * 1_000
    while (performance.now() < settled) {
      await Promise.all([customers.followSome(), subscriptions.followSome()])
      await pause(500)
    }
    // The first reading continues after a stop, and the second one reads what has changed since.
    for (const { followAll } of [customers, customers, subscriptions, subscriptions]) await followAll()
    for (const { history: intent, id, readAtEnd, shownOf } of raced) {
      await readAtEnd('end after the hold-back')
      const row = (intent.kind === 'customer' ? customers : subscriptions).copy.get(id)
      const time = micros()
      history.push({
        ...{
          ...intent,
          client: 'copy',
          op: 'read',
          call: time,
          return: time,
          process: 'all',
          released: false,
        },
        ...(row ? { outcome: 'ok', shown: shownOf(row as never) } : { outcome: 'absent' }),
      })
    }
    return history
  }
  return { history: history as readonly Operation[], settle }
}

type Readers = ReturnType<typeof readersOf>
