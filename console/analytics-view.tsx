import { Answers } from './answers.tsx'
import { number } from './format.ts'
import { Problem } from './loading.tsx'
import { useCopy } from './use-copy.ts'

/** The answers, from a copy of the lists in this browser that is read, stopped, continued and brought up to date here. */
export const AnalyticsView = () => {
  const { data, read, error, start, stop } = useCopy()
  const { invoices = [], customers = [], complete = false } = data ?? {}
  const begun = complete || invoices.length + customers.length > 0
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
      {read !== undefined && <p role="status">{`Reading … ${number(read)} records`}</p>}
      {read === undefined && begun && (
        <p role="status">{`${kept}${complete ? '.' : ', but not all of them.'}`}</p>
      )}
      {error !== undefined && <Problem error={error} />}
      {begun ? (
        <Answers invoices={invoices} customers={customers} />
      ) : (
        <p class="empty">
          Read the data to see what you invoiced by month, your recurring revenue, your subscriptions, and
          which customers, plans and discounts count most. All invoices and customers are read, a hundred in a
          request, and kept in this browser until you sign out. Later visits read only what has changed.
        </p>
      )}
    </main>
  )
}
