import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Answer, Extent, QueryOf, Question } from '../copy/local-copy.ts'
import { type ListCopy, type ListSource, updateCopy } from '../copy/reading.ts'
import { type CopyThread, openThread } from '../copy/thread.ts'
import { copied, type Entity, type Plural, plurals } from '../records/entities.ts'
import { type Session, useSession } from './session.ts'
import { useTimeZone } from './time-zone.ts'

/** An answer, and the version of the copy that it is made of. */
interface CachedAnswer {
  readonly version: number
  readonly answer: unknown
}

/** The copy of the customers and invoices, which belongs to the session. */
export interface Copied {
  /** Undefined until the copy is open. */
  readonly extent: Extent | undefined
  /** The number of records read since the start; undefined if none are being read. */
  readonly read: number | undefined
  /** Whether reading has stopped to ask whether to continue, since there are very many records. */
  readonly waits: boolean
  readonly error: unknown
  readonly start: () => void
  readonly stop: () => void
  /** Stores an entity that a save, an erasure or a single read has returned. `at` is when the read was requested, in milliseconds. */
  readonly save: (plural: string, entity: Entity, at?: number) => Promise<void>
  /** Asks for an answer with months and dates in the time zone of the page. */
  readonly ask: <Name extends Question>(question: Name, query: QueryOf<Name>) => Promise<Answer<Name>>
  /** Increases with each change of the data from which answers are computed. */
  readonly version: number
  /** The latest answer to each question, shown until a newer one arrives. */
  readonly latestAnswers: Map<string, CachedAnswer>
}

const CopyContext = createContext<Copied | undefined>(undefined)

/** Returns the session's copy. */
export const useCopy = (): Copied => useContext(CopyContext)!

/** Whether there are figures: the copy has been complete once. */
export const useIsComplete = (): boolean => (useCopy().extent?.asOf ?? 0) > 0

/** Reading more records than this is asked about first. */
const MAX_UNASKED = 200_000
/** A tab that is shown again after so long looks for changes. */
const STALE_MILLIS = 300_000

const sourceOf = (session: Session, plural: Plural, signal: AbortSignal): ListSource => {
  const api = session.api[plural]!
  const include = copied[plural]
  return {
    changes: (since) => api.changes({ since, include, signal }),
    async *newest() {
      let cursor: string | null = null
      do {
        const page: { items: readonly Entity[]; next_cursor: string | null } = await api.list({
          ...{ include, cursor, signal },
          limit: 100,
        })
        yield page.items
        cursor = page.next_cursor
      } while (cursor !== null)
    },
  }
}

const listOf = ({ copy }: CopyThread, plural: Plural): ListCopy => ({
  bookmark: () => copy.bookmark(plural),
  write: (page, after) => copy.write(plural, page, after),
})

/** Reads until everything is read, until it is stopped, or until there are so many records that it asks first. */
const useUpdating = (thread: { current: CopyThread | null }, refresh: () => Promise<void>) => {
  const session = useSession()
  const stopper = useRef<AbortController>(null)
  const unasked = useRef(MAX_UNASKED)
  const [read, setRead] = useState<number>()
  const [waits, setWaits] = useState(false)
  const [error, setError] = useState<unknown>()
  const counting = (stopping: AbortController) => {
    let count = 0
    return (more: number) => {
      count += more
      setRead(count)
      if (count < unasked.current) return
      unasked.current += MAX_UNASKED
      setWaits(true)
      stopping.abort()
    }
  }
  const update = async () => {
    if (stopper.current) return
    const stopping = new AbortController()
    stopper.current = stopping
    setError(undefined)
    setWaits(false)
    setRead(0)
    const onPage = counting(stopping)
    const updates = plurals.map((plural) =>
      updateCopy(listOf(thread.current!, plural), sourceOf(session, plural, stopping.signal), onPage),
    )
    await Promise.all(updates).catch((thrown) => {
      if (!stopping.signal.aborted) setError(thrown)
      // The other list.
      stopping.abort()
    })
    await Promise.allSettled(updates)
    // What has been read is known before reading is said to have ended.
    await refresh().finally(() => {
      stopper.current = null
      setRead(undefined)
    })
  }
  const start = () => update().catch(setError)
  return { read, waits, error, fail: setError, start, stop: () => stopper.current?.abort() }
}

const useReading = () => {
  const session = useSession()
  const thread = useRef<CopyThread>(null)
  const [extent, setExtent] = useState<Extent>()
  const [version, setVersion] = useState(0)
  const refresh = async () => {
    if (!thread.current) return
    setExtent(await thread.current.copy.extent())
    setVersion((count) => count + 1)
  }
  const { fail, ...updating } = useUpdating(thread, refresh)
  useEffect(() => {
    const opened = openThread(session, () => refresh().catch(fail))
    const open = async () => {
      thread.current = await opened
      await refresh()
      await updating.start()
    }
    open().catch(fail)
    return () => {
      updating.stop()
      thread.current = null
      opened.then(({ end }) => end(), fail)
    }
  }, [])
  const save = async (plural: string, entity: Entity, at?: number) => {
    const list = plurals.find((each) => each === plural)
    if (!list || !thread.current) return
    await thread.current.copy.save(list, entity, at)
    await refresh()
  }
  return { thread, extent, version, ...updating, save }
}

const useFreshness = (asOf: number, start: () => void) => {
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible' && asOf > 0 && Date.now() - asOf * 1000 > STALE_MILLIS)
        start()
    }
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [asOf])
}

/** Gives every view below the copy. */
export const CopyProvider = ({ children }: { readonly children: ComponentChildren }) => {
  const { thread, ...reading } = useReading()
  const latestAnswers = useMemo(() => new Map<string, CachedAnswer>(), [])
  useFreshness(reading.extent?.asOf ?? 0, reading.start)
  const timeZone = useTimeZone()
  const ask: Copied['ask'] = (question, query) =>
    thread.current!.copy.answer(question, query, timeZone) as Promise<never>
  return <CopyContext.Provider value={{ ...reading, ask, latestAnswers }}>{children}</CopyContext.Provider>
}

/** The state of an answer from the copy. */
export interface AnswerState<Value> {
  /** The latest answer; undefined before the first one. While a newer answer is pending, it may belong to an earlier query. */
  readonly answer: Value | undefined
  /** Whether a newer answer is being computed. */
  readonly pending: boolean
  /** The error of the latest computation; undefined if there was none. */
  readonly error: unknown
}

/** Returns the answer to a question from the copy, once the copy is complete. */
export const useAnswer = <Name extends Question>(
  question: Name,
  query: QueryOf<Name>,
): AnswerState<NonNullable<Answer<Name>>> => {
  const { ask, version, latestAnswers } = useCopy()
  const timeZone = useTimeZone()
  const isComplete = useIsComplete()
  const key = `${question} ${timeZone} ${JSON.stringify(query)}`
  const [, setShown] = useState(0)
  const [error, setError] = useState<unknown>()
  const latest = useRef<CachedAnswer>(undefined)
  latest.current = latestAnswers.get(key) ?? latest.current
  const pending = latestAnswers.get(key)?.version !== version
  useEffect(() => {
    if (!isComplete || !pending) return undefined
    let isCurrent = true
    ask(question, query).then((answer) => {
      latestAnswers.set(key, { version, answer })
      if (isCurrent) setShown((count) => count + 1)
    }, setError)
    return () => {
      isCurrent = false
    }
  }, [key, version, isComplete])
  return { answer: latest.current?.answer as NonNullable<Answer<Name>> | undefined, pending, error }
}
