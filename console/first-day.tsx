import { useEffect } from 'preact/hooks'
import { useCopy } from './copied.tsx'
import { useSession } from './session.ts'

const AGAIN_MILLIS = 5_000

const bodies: Readonly<Record<string, object>> = {
  customers: { id: 'customer-1', name: 'Ann Example', email: 'ann@example.org' },
  invoices: {
    ...{ id: 'invoice-1', customer_id: 'customer-1', subscription_id: 'subscription-1' },
    ...{ total: 4900, currency: 'EUR', created: '2026-01-31' },
    ...{ period_start: '2026-01-31', period_end: '2026-02-28' },
    line_items: [{ id: '1', amount: 4900, type: 'recurring', interval: 'month', interval_count: 1 }],
  },
}

/** Nothing is recorded yet: how to begin, and looking again by itself. */
export const FirstDay = () => {
  const { baseUrl, appId } = useSession()
  const { start } = useCopy()
  useEffect(() => {
    const again = setInterval(() => document.visibilityState === 'visible' && start(), AGAIN_MILLIS)
    return () => clearInterval(again)
  }, [])
  const today = new Date().toISOString().slice(0, 10)
  const command = (plural: string) =>
    `curl ${baseUrl}/api/${plural} \\
  -H "x-app-id: ${appId}" -H "Authorization: Bearer $API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify(bodies[plural], null, 1).replaceAll('2026-01-31', today)}'`
  return (
    <section class="card">
      <h2>No invoice is recorded yet</h2>
      <p>
        Your program records each customer and invoice with one request. Try it in a terminal, with your key
        in API_KEY. This page looks again by itself.
      </p>
      {Object.keys(bodies).map((plural) => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls what has the focus
        <pre key={plural} class="scroll" tabIndex={0}>
          {command(plural)}
        </pre>
      ))}
      <p>What you have billed so far comes in with one command, from Stripe’s objects, CSV or JSON:</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls what has the focus */}
      <pre class="scroll" tabIndex={0}>
        {`npm run import -- customers.csv invoices.csv --url ${baseUrl} --app-id ${appId}`}
      </pre>
    </section>
  )
}
