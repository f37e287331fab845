import { useEffect, useRef, useState } from 'preact/hooks'
import type { Invoice } from './analytics/invoice.ts'
import type { Entity } from './contract.ts'
import { copyName, type LocalCopy, openCopy } from './local-copy.ts'
import { type Session, useSession } from './session.ts'
import { updateCopy } from './update-copy.ts'

/** The lists that the answers need, and what they embed. */
const copied = { customers: 'external_id', invoices: 'line_items,price,discounts' } as const

/** What is in the copy. */
export interface Data {
  readonly customers: readonly Entity[]
  readonly invoices: readonly Invoice[]
  /** Whether both lists have been read to their end. */
  readonly complete: boolean
}

const dataOf = async ({ lists }: LocalCopy): Promise<Data> => {
  const [customers, invoices] = [lists.customers!, lists.invoices!]
  const bookmarks = [await customers.bookmark(), await invoices.bookmark()]
  return {
    customers: await customers.entities(),
    invoices: (await invoices.entities()) as unknown as Invoice[],
    complete: bookmarks.every(({ complete }) => complete),
  }
}

interface Reading {
  readonly api: Session['api']
  readonly copy: LocalCopy
  readonly signal: AbortSignal
  readonly onPage: (read: number) => void
}

/** Brings both lists up to date at the same time. */
const readAll = ({ api, copy, signal, onPage }: Reading): Promise<unknown> =>
  Promise.all(
    Object.entries(copied).map(([plural, include]) =>
      updateCopy(copy.lists[plural]!, (since) => api[plural]!.changes({ since, include, signal }), onPage),
    ),
  )

/** A copy of the lists, and what is being done with it. */
interface Copy {
  /** Undefined until the copy is open. */
  readonly data: Data | undefined
  /** How many entities were read since the start; undefined if nothing is being read. */
  readonly read: number | undefined
  readonly error: unknown
  readonly start: () => void
  readonly stop: () => void
}

/** The copy of the lists in this browser. One that is complete is brought up to date when it is opened. */
export const useCopy = (): Copy => {
  const session = useSession()
  const copy = useRef<LocalCopy>(null)
  const stopping = useRef<AbortController>(null)
  const [data, setData] = useState<Data>()
  const [read, setRead] = useState<number>()
  const [error, setError] = useState<unknown>()
  const start = async () => {
    const stopper = new AbortController()
    const { signal } = stopper
    stopping.current = stopper
    setError(undefined)
    setRead(0)
    const onPage = (more: number) => setRead((count = 0) => count + more)
    await readAll({ api: session.api, copy: copy.current!, signal, onPage }).catch((thrown) => {
      if (!signal.aborted) setError(thrown)
      // The other list.
      stopper.abort()
    })
    setRead(undefined)
    setData(await dataOf(copy.current!))
  }
  const open = async () => {
    copy.current = await openCopy(copyName(session), Object.keys(copied))
    const kept = await dataOf(copy.current)
    setData(kept)
    if (kept.complete) await start()
  }
  useEffect(() => {
    open().catch(setError)
    return () => {
      stopping.current?.abort()
      copy.current?.close()
    }
  }, [])
  return { data, read, error, start: () => start().catch(setError), stop: () => stopping.current?.abort() }
}
