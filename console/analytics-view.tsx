import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Answers } from './answers.tsx'
import { number } from './format.ts'
import { Heading } from './heading.tsx'
import { type Copied, type LocalCopy, openCopy } from './local-copy.ts'
import { Problem } from './requests.tsx'
import { useSession } from './session.ts'

/** The copy of the lists in this browser. One that is complete is brought up to date when it is opened. */
const useCopy = () => {
  const session = useSession()
  const copy = useRef<LocalCopy>(null)
  const stopper = useRef(new AbortController())
  const [data, setData] = useState<Copied>()
  /** The number of records read since the start; undefined if none are being read. */
  const [read, setRead] = useState<number>()
  const [error, setError] = useState<unknown>()
  const update = async () => {
    const stopping = new AbortController()
    stopper.current = stopping
    setError(undefined)
    setRead(0)
    const counted = (more: number) => setRead((count = 0) => count + more)
    await copy.current!.update(stopping.signal, counted).catch((thrown) => {
      if (!stopping.signal.aborted) setError(thrown)
      // The other list.
      stopping.abort()
    })
    setRead(undefined)
    setData(await copy.current!.read())
  }
  const open = async () => {
    copy.current = await openCopy(session)
    const kept = await copy.current.read()
    setData(kept)
    if (kept.asOf) await update()
  }
  useEffect(() => {
    open().catch(setError)
    return () => {
      stopper.current.abort()
      copy.current?.close()
    }
  }, [])
  return { data, read, error, start: () => update().catch(setError), stop: () => stopper.current.abort() }
}

/** The answers, from a copy of the lists in this browser that is read, stopped, continued and brought up to date here. */
export const AnalyticsView = () => {
  const { data, read, error, start, stop } = useCopy()
  const { invoices = [], customers = [], asOf = 0 } = data ?? {}
  // The progress of a reading does not draw them again.
  const answers = useMemo(() => data && asOf > 0 && <Answers {...data} />, [data])
  const begun = invoices.length + customers.length > 0
  const kept = `${number(invoices.length)} invoices and ${number(customers.length)} customers are in this browser`
  const reading = read !== undefined
  const action = asOf ? 'Bring up to date' : begun ? 'Continue reading' : 'Read the data'
  return (
    <main>
      <header class="title">
        <Heading name="Analytics" />
        <button type="button" class={asOf ? '' : 'primary'} disabled={!data} onClick={reading ? stop : start}>
          {reading ? 'Stop' : action}
        </button>
      </header>
      <p role="status">
        {reading && `Reading … ${number(read)} records`}
        {!reading && begun && `${kept}${asOf ? '.' : ', but not all. There are no figures until all are.'}`}
      </p>
      {error !== undefined && <Problem error={error} />}
      {answers || (
        <p class="empty">
          Read the data to see what you invoiced by month, your recurring revenue, your subscriptions, and
          which customers, plans and discounts count most. All invoices and customers are read, a hundred in a
          request, and kept in this browser until you sign out. Later visits read only what has changed.
        </p>
      )}
    </main>
  )
}
