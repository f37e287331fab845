import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Answer, QueryOf, Question } from '../copy/answers.ts'
import type { Extent } from '../copy/local-copy.ts'
import { type CopyThread, openThread } from '../copy/thread.ts'
import { copiedLists, type RecordedEntity } from '../records/entities.ts'
import { copiedFields } from './contract.ts'
import { useCopyUpdates } from './copy-updates.ts'
import { useSession } from './session.ts'
import { useTimeZone } from './time-zone.ts'

interface CachedAnswer {
  readonly version: number
  readonly answer: unknown
}

/** The copy of the customers and invoices, which belongs to the session. */
export interface CopyState {
  /** Undefined until the copy is open. */
  readonly extent: Extent | undefined
  /** The number of records read since the start of the update; undefined if none are being read. */
  readonly recordsRead: number | undefined
  /** Whether reading has stopped until the user confirms that it continues, since there are very many records. */
  readonly awaitsConfirmation: boolean
  /** The error of the latest update; undefined if there was none. */
  readonly error: unknown
  /** Starts an update of the copy, unless one is running. */
  readonly start: () => void
  readonly stop: () => void
  /**
   * Stores an entity that a save, an erasure or a single read has returned. `at` is when the read was requested, in
   * milliseconds.
   */
  readonly save: (plural: string, entity: RecordedEntity, at?: number) => Promise<void>
  /** Asks for an answer with months and dates in the time zone of the page. */
  readonly ask: <Name extends Question>(question: Name, query: QueryOf<Name>) => Promise<Answer<Name>>
  /** Increases with each change of the data from which answers are computed. */
  readonly version: number
  /** The latest answer to each question, shown until a newer one arrives. */
  readonly latestAnswers: Map<string, CachedAnswer>
}

/** The session's copy; undefined before the sign-in. */
export const CopyContext = createContext<CopyState | undefined>(undefined)

export const useCopy = (): CopyState => useContext(CopyContext)!

/** Returns whether the copy has ever been complete. Figures and lists are shown from then on. */
export const useIsComplete = (): boolean => (useCopy().extent?.asOf ?? 0) > 0

const useOpenCopy = () => {
  const session = useSession()
  const thread = useRef<CopyThread>(null)
  const [extent, setExtent] = useState<Extent>()
  const [version, setVersion] = useState(0)
  const refresh = async () => {
    if (!thread.current) return
    setExtent(await thread.current.copy.extent())
    setVersion((count) => count + 1)
  }
  const { setError, ...updates } = useCopyUpdates(thread, refresh)
  useEffect(() => {
    const opened = openThread(session, copiedFields(session.resources), () => refresh().catch(setError))
    const open = async () => {
      thread.current = await opened
      await refresh()
      await updates.start()
    }
    open().catch(setError)
    return () => {
      updates.stop()
      thread.current = null
      opened.then(({ end }) => end(), setError)
    }
  }, [])
  const save = async (plural: string, entity: RecordedEntity, at?: number) => {
    const list = copiedLists.find((copiedList) => copiedList === plural)
    if (!list || !thread.current) return
    await thread.current.copy.save(list, entity, at)
    await refresh()
  }
  return { thread, extent, version, ...updates, save }
}

/** The age from which the copy is updated when its tab is shown again. */
const STALE_MILLIS = 300_000

/** Starts an update when the tab is shown again and the copy is old. `asOf` is when the copy was complete, in seconds. */
const useUpdateWhenShown = (asOf: number, start: () => void) => {
  useEffect(() => {
    const onVisibilityChange = () => {
      const isVisible = document.visibilityState === 'visible'
      const isStale = asOf > 0 && Date.now() - asOf * 1000 > STALE_MILLIS
      if (isVisible && isStale) start()
    }
    document.addEventListener('visibilitychange', onVisibilityChange)
    return () => document.removeEventListener('visibilitychange', onVisibilityChange)
  }, [asOf])
}

export const CopyProvider = ({ children }: { readonly children: ComponentChildren }) => {
  const { thread, ...state } = useOpenCopy()
  const latestAnswers = useMemo(() => new Map<string, CachedAnswer>(), [])
  useUpdateWhenShown(state.extent?.asOf ?? 0, state.start)
  const timeZone = useTimeZone()
  const ask: CopyState['ask'] = (question, query) => thread.current!.copy.answer(question, query, timeZone)
  return <CopyContext.Provider value={{ ...state, ask, latestAnswers }}>{children}</CopyContext.Provider>
}

export interface AnswerState<Value> {
  /** The latest answer; undefined before the first one. While a newer answer is pending, it may belong to an earlier query. */
  readonly answer: Value | undefined
  readonly pending: boolean
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
  const [, rerender] = useState(0)
  const [error, setError] = useState<unknown>()
  const latest = useRef<CachedAnswer>(undefined)
  const cached = latestAnswers.get(key)
  latest.current = cached ?? latest.current
  const pending = cached?.version !== version
  useEffect(() => {
    if (!isComplete || !pending) return undefined
    let isCurrent = true
    ask(question, query).then((answer) => {
      latestAnswers.set(key, { version, answer })
      if (isCurrent) rerender((count) => count + 1)
    }, setError)
    return () => {
      isCurrent = false
    }
  }, [key, version, isComplete])
  return { answer: latest.current?.answer as NonNullable<Answer<Name>> | undefined, pending, error }
}
