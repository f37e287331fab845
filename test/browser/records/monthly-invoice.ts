/** Returns a monthly invoice of the customer `ann`, which begins today. */
export const monthlyInvoice = (id: string, total = 4900) => {
  const created = new Date().toISOString().slice(0, 10)
  const line = { id: '1', amount: total, type: 'recurring', interval: 'month', interval_count: 1 } as const
  return {
    id,
    customer_id: 'ann',
    subscription_id: 'ann',
    total,
    currency: 'EUR',
    line_items: [line],
    created,
    period_start: created,
    period_end: '2100-01-01',
  }
}
