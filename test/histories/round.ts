import { setTimeout as pause } from 'node:timers/promises'
import type { Credentials } from '../../shared/store/credentials.ts'
import { range } from '../support/range.ts'
import { raceForApplication } from './applications.ts'
import { type Course, micros, newClient, type Operation } from './client.ts'
import { newCustomer } from './customers.ts'
import { newReader } from './lists.ts'
import { SETTLED_SECONDS } from './network.ts'
import { race, readAtEnd, type Subject } from './races.ts'
import type { Random } from './random.ts'
import type { ServiceProcess } from './service.ts'
import { createPayer, newSubscription } from './subscriptions.ts'

/** The time in which new races begin, in seconds. */
const WRITING_SECONDS = 28

/** The maximum number of races per subject: with more, the judge could not try every order of the history. */
const MAX_RACES = 2

/** Each piece of work has a name. */
const repeat = async (workers: number, isOver: () => boolean, work: (name: string) => Promise<unknown>) => {
  const one = async (worker: number) => {
    for (let number = 1; !isOver(); number += 1) await work(`${worker}-${number}`)
  }
  await Promise.all(range(workers).map(one))
}

/** For a new subject or for an earlier one, which then changes long after its creation. */
const racesFor = (
  course: Course,
  subjects: Subject[],
  create: (course: Course, name: string) => Subject | Promise<Subject>,
) => {
  const visits: Subject[] = []
  return async (name: string): Promise<void> => {
    const own = { ...course, random: course.random.forTask(name) }
    const fewRaces = subjects.filter(
      (subject) => visits.filter((visit) => visit === subject).length < MAX_RACES,
    )
    const isEarlier = fewRaces.length > 0 && own.random.number(1) < 0.3
    const subject = isEarlier ? own.random.choose(...fewRaces) : await create(own, name)
    visits.push(subject)
    const pace = { acts: own.random.choose(2, 3, 5), longestPause: own.random.choose(5, 30, 200) }
    await race(own, { clients: 4, ...pace }, subject.act)
    await readAtEnd(own, subject, 'end')
    if (!isEarlier) subjects.push(subject)
  }
}

/**
 * Races for the subjects of a list while a copy follows it. When nothing is held back any longer, adds the
 * content of the copy to the history.
 */
const raceAndFollow = async (
  course: Course,
  plural: string,
  { workers, isOver }: { readonly workers: number; readonly isOver: () => boolean },
  create: Parameters<typeof racesFor>[2],
): Promise<void> => {
  const subjects: Subject[] = []
  const { copy, follow } = newReader(plural, course)
  const followSome = () => follow(0.2).then(() => pause(600))
  await Promise.all([
    repeat(workers, isOver, racesFor(course, subjects, create)),
    repeat(1, isOver, followSome),
  ])
  const settled = performance.now() + SETTLED_SECONDS * 1_000
  await repeat(1, () => performance.now() > settled, followSome)
  // The first reading continues after a stop, and the second one reads what has changed since.
  for (const _ of range(2)) await follow(0)
  const late = newReader(plural, course)
  await late.follow(0)
  for (const subject of subjects) {
    await readAtEnd(course, subject, 'end after the hold-back')
    const { kind, key, id, shownOf } = subject
    for (const row of [copy.get(id), late.copy.get(id)]) {
      const seen = row ? ({ outcome: 'ok', shown: shownOf(row) } as const) : ({ outcome: 'absent' } as const)
      const read = { op: 'read', client: 'copy', process: 'all', call: micros(), return: micros() }
      course.history.push({ kind, key, ...read, ...seen })
    }
  }
}

/**
 * Runs a round with new applications. Adds to the history the requests of clients and readers and, when
 * nothing is held back any longer, the content of the copies of the lists.
 */
export const runRound = async (
  all: readonly ServiceProcess[],
  random: Random,
  history: Operation[],
): Promise<void> => {
  const present = all.filter(({ isReleased }) => !isReleased)
  const operator = newClient({ history, processes: present, random }, 'operator')
  const courseOf = async (name: string, processes: readonly ServiceProcess[] = present): Promise<Course> => {
    const credentials: Credentials = await operator.insist({ path: '/commands/create', body: {} })
    return { history, random: random.forTask(name), processes, credentials }
  }
  // No copy follows the lists that a process of 0.2.0 changes, since a feed does not return its changes.
  const [followed, mixed, late] = (await Promise.all([
    courseOf('followed'),
    ...['mixed', 'late'].map((name) => courseOf(name, all)),
  ])) as [Course, Course, Course]
  await createPayer(followed)
  const start = performance.now()
  const after = (seconds: number) => () => performance.now() > start + seconds * 1_000
  const isOver = after(WRITING_SECONDS)
  const isLate = after(WRITING_SECONDS + SETTLED_SECONDS - 10)
  // A command that is killed leaves shards that are read, but not written to.
  const body = { app: followed.credentials.app_id, shards: 2 }
  const scaled = pause(random.number(5_000)).then(() => operator.send({ path: '/commands/scale', body }))
  await Promise.all([
    raceAndFollow(followed, 'customers', { workers: 8, isOver }, newCustomer),
    raceAndFollow(followed, 'subscriptions', { workers: 3, isOver }, newSubscription),
    ...['customers', 'invoices'].map((plural) => {
      const { walk } = newReader(plural, followed)
      return repeat(1, isOver, () => walk().then(() => pause(1_000)))
    }),
    repeat(3, isOver, racesFor(mixed, [], newCustomer)),
    // While the copies wait, there is time for more.
    pause(WRITING_SECONDS * 1_000).then(() => repeat(10, isLate, racesFor(late, [], newCustomer))),
    repeat(3, isLate, async (name) => raceForApplication(await courseOf(`application ${name}`))),
    scaled,
  ])
}
