import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { BillingApiError } from '../client/index.ts'
import type { Invoice } from './analytics/invoice.ts'
import type { Entity } from './api.ts'
import { RefusedContext } from './loading.tsx'
import { type LocalCopy, openCopy } from './local-copy.ts'
import { copyName, type Session, useSession } from './session.tsx'
import { update } from './update-copy.ts'

/** The lists that the answers need, and what they embed. */
const copied = { customers: 'external_id', invoices: 'line_items,price,discounts,external_id' } as const

/** What is in the copy. */
export interface Data {
  readonly customers: readonly Entity[]
  readonly invoices: readonly Invoice[]
  /** Whether both lists have been read to their end. */
  readonly complete: boolean
}

const dataOf = async (copy: LocalCopy): Promise<Data> => {
  const [customers, invoices, ...bookmarks] = await Promise.all([
    copy.entities('customers'),
    copy.entities('invoices'),
    copy.bookmark('customers'),
    copy.bookmark('invoices'),
  ])
  return {
    customers,
    invoices: invoices as unknown as Invoice[],
    complete: bookmarks.every(({ complete }) => complete),
  }
}

interface Reading {
  readonly session: Session
  readonly copy: LocalCopy
  readonly signal: AbortSignal
  readonly onPage: (read: number) => void
}

/** Brings both lists up to date at the same time. */
const readAll = ({ session: { api, resources }, ...walk }: Reading): Promise<unknown> =>
  Promise.all(
    Object.entries(copied).map(([plural, include]) => {
      const { hasChangedSince } = resources.find((each) => each.plural === plural)!
      return update({ plural, include, hasChangedSince }, { ...walk, list: api[plural]!.list })
    }),
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
  const refused = useContext(RefusedContext)
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
    await readAll({ session, copy: copy.current!, signal, onPage }).catch((thrown) => {
      if (signal.aborted) return
      stopper.abort()
      if (thrown instanceof BillingApiError && thrown.status === 401) refused(thrown)
      else setError(thrown)
    })
    setRead(undefined)
    setData(await dataOf(copy.current!))
  }
  useEffect(() => {
    const open = async () => {
      copy.current = await openCopy(copyName(session), Object.keys(copied))
      const kept = await dataOf(copy.current)
      setData(kept)
      if (kept.complete) await start()
    }
    open().catch(setError)
    return () => {
      stopping.current?.abort()
      copy.current?.close()
    }
  }, [])
  return { data, read, error, start: () => start().catch(setError), stop: () => stopping.current?.abort() }
}
