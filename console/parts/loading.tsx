import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Problem } from './problem.tsx'

interface LoadingProps<T> {
  /** Sends the request. The signal aborts it when the component is removed. */
  readonly load: (signal: AbortSignal) => Promise<T>
  readonly children: (data: T) => ComponentChildren
}

/** Shows the result of a request, and a loading message until it arrives. Offers a retry if the request may succeed later. */
export const Loading = <T,>({ load, children }: LoadingProps<T>) => {
  /** Undefined until the request has ended. */
  const [outcome, setOutcome] = useState<{ data?: T; error?: unknown }>()
  useEffect(() => {
    if (outcome) return undefined
    const removal = new AbortController()
    const loaded = load(removal.signal).then(
      (data) => ({ data }),
      (error: unknown) => ({ error }),
    )
    loaded.then((result) => !removal.signal.aborted && setOutcome(result))
    return () => removal.abort()
  }, [outcome])
  if (!outcome) return <p role="status">Loading …</p>
  if (outcome.error !== undefined)
    return <Problem error={outcome.error} retry={() => setOutcome(undefined)} />
  return <>{children(outcome.data as T)}</>
}
