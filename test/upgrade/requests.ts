/** The requests of a recording. They cover every operation, and every form in which an item is stored. */

export interface Request {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

const post = (path: string, ...bodies: readonly object[]): Request[] =>
  bodies.map((body) => ({ method: 'POST', path, body }))

const price = { product_id: 'pro', currency: 'eur', price: 1900 }
const monthly = { type: 'recurring', interval: 'month', interval_count: 1 }
const march = { created: '2024-03-01', period_start: '2024-03-01', period_end: '2024-04-01' }
const april = { created: '2024-04-01', period_start: '2024-04-01', period_end: '2024-05-01' }
const line = { id: 'seat', price_id: 'monthly', amount: 1900, currency: 'EUR', quantity: 1, ...monthly }
const person = {
  email: 'ann@example.org',
  phone: '+1 555 0100',
  description: 'Pays late',
  created: '2020-02-29',
}
const invoice = { total: 1900, currency: 'EUR', customer_id: 'kept', subscription_id: 'kept-pro' }

export const creates: readonly Request[] = [
  ...post('/api/products', { id: 'pro', name: 'Pro' }, { id: 7, name: 'Zero / 100 % ✓' }),
  ...post(
    '/api/prices',
    { id: 'monthly', ...price, ...monthly, title: 'Monthly' },
    { id: 'tiered', ...price, ...monthly, tiered: true },
    { id: 'setup', ...price, type: 'one_time', price: 0 },
  ),
  ...post(
    '/api/customers',
    { id: 'kept', name: 'Ann Example', ...person, metadata: { plan: { seats: [1, 2.5, null] } } },
    { id: 'empty' },
    { id: 'updated', name: 'Bob Example', ...person, metadata: { before: true } },
    { id: 'often', name: 'Cem Example', ...person },
    { id: 'erased', name: 'Dora Example', ...person, metadata: { kept: 'yes' } },
    { id: 'returned', name: 'Emil Example', ...person },
  ),
  ...post('/api/customers?erased=true', { id: 'never-known', metadata: { kept: 'yes' } }),
  ...post(
    '/api/discounts',
    { id: 'ten', name: 'Ten', duration: 'once', percent_off: 10, currency: 'EUR' },
    {
      id: 'off',
      name: 'Off',
      duration: 'repeating',
      duration_in_months: '3',
      amount_off: 500,
      currency: 'JPY',
    },
  ),
  ...post(
    '/api/invoices',
    { id: 'first', ...invoice, ...march, discounts: ['ten', 'off'], line_items: [line, { amount: -100 }] },
    { id: 'second', ...invoice, ...april },
    { id: 'late', ...invoice, ...march, total: -1900 },
    {
      id: 'other',
      ...invoice,
      ...march,
      customer_id: 'often',
      subscription_id: 'often-pro',
      line_items: [line],
    },
  ),
]

const put = (id: string, body?: object): Request => ({ method: 'PUT', path: `/api/customers/${id}`, body })

export const changes: readonly Request[] = [
  put('updated', { id: 'updated', email: null, metadata: { after: true } }),
  ...['1', '2', '3', '4', '5', '6'].map((name) => put('often', { id: 'often', name })),
]

/** One of the customers is updated afterwards. */
export const erasures: readonly Request[] = [
  put('erased'),
  put('returned'),
  put('returned', { id: 'returned', name: 'Emil again' }),
]

const get = (path: string): Request => ({ method: 'GET', path })

export const reads: readonly Request[] = [
  ...['pro', '7'].map((id) => get(`/api/products/${id}?include=prices,external_id`)),
  ...['monthly', 'tiered', 'setup'].map((id) => get(`/api/prices/${id}?include=product,external_id`)),
  ...['kept', 'empty', 'never-known', 'updated', 'often', 'erased', 'returned'].map((id) =>
    get(`/api/customers/${id}`),
  ),
  ...['ten', 'off'].map((id) => get(`/api/discounts/${id}`)),
  ...['first', 'second', 'late', 'other'].map((id) =>
    get(`/api/invoices/${id}?include=line_items,price,subscription,customer,discounts,external_id`),
  ),
  get('/api/subscriptions/kept-pro?include=customer,latest_invoice,external_id'),
  get('/api/products?include=prices'),
  get('/api/prices?include=product'),
  get('/api/prices?product_id=pro'),
  get('/api/customers?include=external_id'),
  get('/api/discounts'),
  get('/api/invoices?include=line_items,price,subscription,customer,discounts'),
  get('/api/invoices?customer_id=kept'),
  get('/api/subscriptions?include=external_id'),
  get('/api/subscriptions?customer_id=often'),
]

export const paged: readonly string[] = [
  '/api/customers?limit=2',
  '/api/invoices?limit=2',
  '/api/invoices?customer_id=kept&limit=2',
]
