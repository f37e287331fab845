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
import { newRecorder, type Operation } from './recorder.ts'
import type { ServiceProcess } from './service.ts'

/** How long the races of a round are started, in milliseconds. */
const RACES_MILLIS = 8_000

type Raced = Awaited<ReturnType<typeof raceForCustomer | typeof raceForSubscription>>

/**
 * Runs races and readers of lists at once on new applications. Returns the history, and `settle`, which waits until nothing
 * is held back any more and adds what copies of the lists show.
 */
export const runRound = async (all: readonly ServiceProcess[], random: Random) => {
  const recorder = newRecorder(all, random)
  const present = all.filter(({ isReleased }) => !isReleased)
  const courseOf = async (processes: readonly ServiceProcess[]): Promise<Course> => {
    const { json } = await recorder.insist({ path: '/commands/create', body: {} }, present)
    return { recorder, random, processes, credentials: json as Credentials }
  }
  // A copy does not see what a process of 0.2.0 changes.
  const [followed, mixed] = await Promise.all([courseOf(present), courseOf(all)])
  const { credentials } = followed
  await createPayer(followed)
  const [customers, subscriptions, invoices] = ['customers', 'subscriptions', 'invoices'].map((plural) =>
    readersOf(plural, followed),
  ) as [Readers, Readers, Readers]
  const end = performance.now() + RACES_MILLIS
  const repeat = async (workers: number, work: () => Promise<unknown>): Promise<void> => {
    const one = async () => {
      while (performance.now() < end) await work()
    }
    await Promise.all(upTo(workers).map(one))
  }
  const raced: Raced[] = []
  // A command that is killed leaves shards that are read, but not written to.
  const scale = (shards: number) =>
    recorder.send({ path: '/commands/scale', body: { app: credentials.app_id, shards } }, present)
  await Promise.all([
    repeat(6, async () => raced.push(await raceForCustomer(followed))),
    repeat(4, () => raceForCustomer(mixed)),
    repeat(4, async () => raced.push(await raceForSubscription(followed))),
    ...upTo(4).map(async () => raceForApplication(await courseOf(present))),
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
    for (const { history, id, readAtEnd, shownOf } of raced) {
      await readAtEnd('end after the hold-back')
      const row = (history.kind === 'customer' ? customers : subscriptions).copy.get(id)
      const at = recorder.now()
      recorder.history.push({
        ...{ ...history, client: 'copy', op: 'read', call: at, return: at, process: 'all', released: false },
        ...(row ? { outcome: 'ok', shown: shownOf(row as never) } : { outcome: 'absent' }),
      })
    }
    return recorder.history
  }
  return { history: recorder.history as readonly Operation[], settle }
}

type Readers = ReturnType<typeof readersOf>
