import { BillingApiError } from '../client/index.ts'
import './problem.css'

interface ProblemProps {
  readonly error: unknown
  readonly again?: () => void
}

const titles: Readonly<Record<number, string>> = {
  0: 'The service could not be reached',
  404: 'There is no such entity',
}

/** Shows why a request failed, with the id to quote in a report. */
export const Problem = ({ error, again }: ProblemProps) => {
  const known = error instanceof BillingApiError ? error : undefined
  const [first] = known?.errors ?? []
  const title = titles[known?.status ?? -1] ?? first?.title ?? 'This did not work'
  const details = known ? known.errors.map(({ detail }) => detail) : [String(error)]
  return (
    <div class="problem" role="alert">
      <h2>{title}</h2>
      {details.map((detail) => (
        <p key={detail}>{detail}</p>
      ))}
      {known?.requestId && (
        <p class="quiet">
          Request <code>{known.requestId}</code>
        </p>
      )}
      {again && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  )
}
