/** A customer with hostile values: markup, ten thousand characters, and text from right to left. */
export const hostileCustomer = {
  id: '<img src=x onerror=alert(1)>',
  name: '"><script>alert(document.domain)</script>\u202Egnp.exe שלום',
  email: `${'x'.repeat(250)}@example.org`,
  metadata: { long: 'W'.repeat(10_000), '<b>key</b>': ['<svg onload=alert(1)>'], __proto__x: null },
}
/** The address of the customer's page. */
export const hostileCustomerPath = `customers/${encodeURIComponent(hostileCustomer.id)}`
