import { setTimeout as pause } from 'node:timers/promises'
import { range } from '../support/range.ts'
import { type Client, type Course, newClient } from './client.ts'

export interface Subject {
  readonly kind: 'customer' | 'subscription'
  readonly key: string
  readonly id: string
  readonly act: (client: Client) => Promise<unknown>
  readonly retrieve: (client: Client) => Promise<string>
  /** The judge compares them. */
  readonly shownOf: (entity: Record<string, unknown>) => Record<string, string>
}

/** Lets clients act at once, each several times in a row with pauses of up to `longestPause` milliseconds. */
export const race = async (
  course: Course,
  { clients, acts, longestPause }: Readonly<Record<'clients' | 'acts' | 'longestPause', number>>,
  act: (client: Client) => Promise<unknown>,
): Promise<void> => {
  const one = async (number: number) => {
    const client = newClient(course, `client ${number}`)
    for (const _ of range(acts)) {
      await pause(client.random.number(longestPause))
      await act(client)
    }
  }
  await Promise.all(range(clients).map(one))
}

export const readAtEnd = async (course: Course, { retrieve }: Subject, name: string): Promise<void> => {
  const client = newClient(course, name)
  while ((await retrieve(client)) === 'unknown') await pause(50)
}

/** The judge compares them. */
export const texts = (values: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value !== null && typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  )

/** At least one, so that races consist of different operations. */
export const someOf = <T>({ random }: Course, values: readonly T[]): readonly T[] => {
  const some = values.filter(() => random.number(1) < 0.4)
  return some.length > 0 ? some : [random.choose(...values)]
}
