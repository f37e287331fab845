import { useEffect } from 'preact/hooks'
import { useCopy } from '../../frame/copy-context.tsx'
import { useSession } from '../../frame/session.ts'
import { Preformatted } from '../../parts/preformatted.tsx'

/** The time between checks for the first invoice. */
const CHECK_MILLIS = 5_000
const DAY_MILLIS = 86_400_000

/** Returns the date in a number of days, such as 2026-10-31. */
const dateIn = (days: number): string => new Date(Date.now() + days * DAY_MILLIS).toISOString().slice(0, 10)

/** Returns example bodies of creates by their lists. The invoice is dated today and covers 30 days. */
const exampleBodies = (): Readonly<Record<string, object>> => ({
  customers: { id: 'customer-1', name: 'Ann Example', email: 'ann@example.org' },
  invoices: {
    id: 'invoice-1',
    customer_id: 'customer-1',
    subscription_id: 'subscription-1',
    total: 4900,
    currency: 'EUR',
    created: dateIn(0),
    period_start: dateIn(0),
    period_end: dateIn(30),
    line_items: [{ id: '1', amount: 4900, type: 'recurring', interval: 'month', interval_count: 1 }],
  },
})

/** Shows how to record the first invoice, and checks for it every few seconds. */
export const NoInvoices = () => {
  const { baseUrl, appId } = useSession()
  const { start } = useCopy()
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && start(), CHECK_MILLIS)
    return () => clearInterval(timer)
  }, [])
  const createCommand = (plural: string, body: object) =>
    `curl ${baseUrl}/api/${plural} \\
  -H "x-app-id: ${appId}" -H "Authorization: Bearer $API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify(body, null, 2)}'`
  const importCommand = `BILLING_API_KEY=$API_KEY npm run import -- customers.csv invoices.csv line_items.csv \\
  --url ${baseUrl} --app-id ${appId}`
  return (
    <section class="card stack">
      <h2>No invoice is recorded yet</h2>
      <p>
        Your program records each customer and invoice with one request. Try it in a terminal, with your key
        in API_KEY. This page checks for an invoice automatically.
      </p>
      {Object.entries(exampleBodies()).map(([plural, body]) => (
        <Preformatted key={plural} text={createCommand(plural, body)} />
      ))}
      <p>
        One command in the folder of the service imports your earlier invoices, from CSV, JSON or Stripe’s
        objects:
      </p>
      <Preformatted text={importCommand} />
    </section>
  )
}
