import type { ComponentChildren, TargetedSubmitEvent } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import { BillingApiError } from '../../client/index.ts'
import { SessionContext } from '../frame/session.ts'
import './requests.css'

const titles: Readonly<Record<number, string>> = {
  0: 'The service could not be reached',
  401: 'The application id or the API key is not valid',
  404: 'There is no such record',
}

/** Shows why a request failed, with the id to quote in a report. Ends the session if the API refuses its key. */
export const Problem = ({ error, again }: { readonly error: unknown; readonly again?: () => void }) => {
  const session = useContext(SessionContext)
  const known = error instanceof BillingApiError ? error : undefined
  const { status = 0, errors = [], requestId } = known ?? {}
  useEffect(() => {
    if (status === 401) session?.signOut(error)
  }, [error])
  const title = (known && titles[status]) ?? errors[0]?.title ?? 'This did not work'
  // The details of a refused key are about headers, which nobody types here.
  const details = known
    ? errors.filter(() => status !== 401).map(({ detail }) => detail)
    : [(error as Error).message]
  return (
    <div class="problem" role="alert">
      <h2>{title}</h2>
      {details.map((detail) => (
        <p key={detail}>{detail}</p>
      ))}
      {requestId && (
        <p class="quiet">
          Request <code>{requestId}</code>
        </p>
      )}
      {again && (status === 0 || status >= 429) && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  )
}

interface LoadingProps<T> {
  readonly load: (signal: AbortSignal) => Promise<T>
  readonly children: (data: T) => ComponentChildren
}

/** Shows the result of a request, and a loading message until it arrives; offers a retry if the request may succeed later. */
export const Loading = <T,>({ load, children }: LoadingProps<T>) => {
  const [state, setState] = useState<{ data?: T; error?: unknown }>()
  useEffect(() => {
    if (state) return undefined
    const ending = new AbortController()
    const loaded = load(ending.signal).then(
      (data) => ({ data }),
      (error: unknown) => ({ error }),
    )
    loaded.then((outcome) => !ending.signal.aborted && setState(outcome))
    return () => ending.abort()
  }, [state])
  if (!state) return <p role="status">Loading …</p>
  if (state.error !== undefined) return <Problem error={state.error} again={() => setState(undefined)} />
  return <>{children(state.data as T)}</>
}

interface FormProps {
  readonly class: string
  readonly action: string
  /** Sends what was typed. Why that fails is shown. */
  readonly send: (typed: FormData) => unknown
  readonly children: ComponentChildren
}

/** A form with its button, which waits until what was typed is sent. */
export const Form = ({ class: name, action, send, children }: FormProps) => {
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    try {
      await send(new FormData(event.currentTarget))
    } catch (thrown) {
      setError(thrown)
    }
    setBusy(false)
  }
  return (
    <form class={name} aria-label={action} onSubmit={submit}>
      {children}
      <button type="submit" disabled={busy}>
        {busy ? `${action} …` : action}
      </button>
      {error !== undefined && <Problem error={error} />}
    </form>
  )
}

/** Returns what was typed into a field, without white space around it. */
export const typedIn = (typed: FormData, name: string): string => String(typed.get(name) ?? '').trim()
