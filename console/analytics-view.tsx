import { Answers } from './answers.tsx'
import { number } from './format.ts'
import { Problem } from './problem.tsx'
import { useCopy } from './use-copy.ts'

/** The answers, from a copy of the lists in this browser that is read, stopped, continued and brought up to date here. */
export const AnalyticsView = () => {
  const { data, read, error, start, stop } = useCopy()
  const { invoices = [], customers = [], complete = false } = data ?? {}
  const begun = invoices.length + customers.length > 0
  const kept = `${number(invoices.length)} invoices and ${number(customers.length)} customers are in this browser`
  return (
    <main>
      <header class="title">
        <h1>Analytics</h1>
        {read === undefined ? (
          <button type="button" class={complete ? '' : 'primary'} disabled={!data} onClick={start}>
            {complete ? 'Bring up to date' : begun ? 'Continue reading' : 'Read the data'}
          </button>
        ) : (
          <button type="button" onClick={stop}>
            Stop
          </button>
        )}
      </header>
      <p role="status" class="quiet">
        {read === undefined
          ? `${kept}${complete ? '.' : ', not all that there are.'}`
          : `Reading … ${number(read)} records`}
      </p>
      {error !== undefined && <Problem error={error} />}
      {begun && <Answers invoices={invoices} customers={customers} />}
    </main>
  )
}
