import type { ComponentChildren } from 'preact'
import { createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import { BillingApiError } from '../client/index.ts'
import { Problem } from './problem.tsx'

/** Runs when the API refuses the key. */
export const RefusedContext = createContext<(error: BillingApiError) => void>(() => undefined)

type State<T> = { readonly data?: T; readonly error?: unknown; readonly name?: string }

interface LoadingProps<T> {
  /** Says what is loaded: another name loads again, and ends what is under way. */
  readonly name: string
  readonly load: (signal: AbortSignal) => Promise<T>
  readonly children: (data: T) => ComponentChildren
}

/** Shows what a request answers, and until then that it is under way; offers to try again what failed. */
export const Loading = <T,>({ name, load, children }: LoadingProps<T>) => {
  const [state, setState] = useState<State<T>>({})
  const [attempt, setAttempt] = useState(0)
  const refused = useContext(RefusedContext)
  useEffect(() => {
    const ending = new AbortController()
    const failed = (error: unknown) => {
      if (ending.signal.aborted) return
      if (error instanceof BillingApiError && error.status === 401) refused(error)
      else setState({ error, name })
    }
    load(ending.signal).then((data) => {
      if (!ending.signal.aborted) setState({ data, name })
    }, failed)
    return () => ending.abort()
  }, [name, attempt])
  const again = () => {
    setState({})
    setAttempt(attempt + 1)
  }
  if (state.name !== name) return <p role="status">Loading …</p>
  if (state.error !== undefined) return <Problem error={state.error} again={again} />
  return <>{children(state.data as T)}</>
}
