import { useContext, useEffect } from 'preact/hooks'
import { BillingApiError } from '../../client/index.ts'
import { SessionContext } from '../frame/session.ts'

/** The titles of errors of the API by status; 0 is a request without a response. */
const titles: Readonly<Record<number, string>> = {
  0: 'The service could not be reached',
  401: 'The application id or the API key is not valid',
  404: 'There is no such record',
}

interface ProblemProps {
  readonly error: unknown
  /** Tries again. The button is offered if the request may succeed later. */
  readonly retry?: () => void
}

/** An error, with the request id to quote in a report. Ends the session if the API refuses its key. */
export const Problem = ({ error, retry }: ProblemProps) => {
  const session = useContext(SessionContext)
  const apiError = error instanceof BillingApiError ? error : undefined
  const { status = 0, errors = [], requestId } = apiError ?? {}
  const isKeyRefused = status === 401
  useEffect(() => {
    if (isKeyRefused) session?.signOut(error)
  }, [error])
  const title = (apiError && titles[status]) ?? errors[0]?.title ?? 'This did not work'
  const apiDetails = errors.map(({ detail }) => detail)
  // The details of a refused key are about headers, which nobody types here.
  const shownApiDetails = isKeyRefused ? [] : apiDetails
  const details = apiError ? shownApiDetails : [(error as Error).message]
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
      {retry && (status === 0 || status >= 429) && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  )
}
