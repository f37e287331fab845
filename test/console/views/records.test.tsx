import type { VNode } from 'preact'
import type { RecordedEntity } from '../../../console/records/entities.ts'
import { RecordTable } from '../../../console/tables/record-table.tsx'
import { TimeZoneOffer } from '../../../console/top-bar/time-zone-choice.tsx'
import { TopBar } from '../../../console/top-bar/top-bar.tsx'
import { DiscountsView } from '../../../console/views/lists/discounts-view.tsx'
import { ProductsView } from '../../../console/views/lists/products-view.tsx'
import { CustomerView } from '../../../console/views/records/customer-view.tsx'
import { DiscountUses } from '../../../console/views/records/discount-view.tsx'
import { InvoicePaper } from '../../../console/views/records/invoice-view.tsx'
import { ProductRevenue } from '../../../console/views/records/product-view.tsx'
import { RecordFields } from '../../../console/views/records/record-view.tsx'
import { SubscriptionHistoryView } from '../../../console/views/records/subscription-view.tsx'
import { lineOf, priceOf } from '../../client/analytics/invoices.ts'
import { filledCopy, invoice } from '../copy/copy-in-memory.ts'
import { expectTexts, rendered, resourceOf } from './rendered.tsx'

const ann = { id: 'ann', external_id: 'own-ann', name: 'Ann', email: null, metadata: { seats: 3 } }

const loyal = {
  id: 'loyal',
  name: 'Loyal',
  duration: 'forever',
  duration_in_months: null,
  percent_off: 10,
  amount_off: null,
  currency: 'EUR',
}

/** Ann, who had Pro for €39.00 last month, and now has it for €49.00 less €5.00, with an add-on of €10.00. Another one ended. */
const business = () => {
  const now = invoice('now')
  const [pro] = now.line_items
  const addOn = {
    ...pro!,
    amount: 1000,
    price: priceOf('Extra', { id: 'extra', price: 1000, currency: 'EUR' }),
  }
  const discounted = {
    ...now,
    total: 5400,
    line_items: [{ ...pro!, discount_amount: 500 }, addOn],
    discounts: [{ id: 'loyal', name: 'Loyal' }],
  }
  const ended = { ...invoice('ended', { days: 90, total: 700 }), subscription_id: 'sub-ended' }
  const before = invoice('before', { days: 30, total: 3900 })
  const price = { title: null, interval: 'month', interval_count: 1, currency: 'EUR' }
  return filledCopy([ann], [ended, before, discounted], {
    discounts: [loyal],
    products: [{ id: 'Pro', name: 'Pro' }],
    prices: [{ ...price, id: 'price-4900-EUR', price: 4900 }],
  })
}

const customer = () => <CustomerView resource={resourceOf('customers')} id="own-ann" />

const paperOf = (lines: readonly object[], total: number) => {
  const shown = {
    ...invoice('paper'),
    total,
    line_items: lines,
    customer: { ...ann, email: 'ann@example.org' },
  }
  return <InvoicePaper invoice={shown as unknown as Parameters<typeof InvoicePaper>[0]['invoice']} />
}

const price: RecordedEntity = {
  id: 'price_1',
  product_id: 'prd_1',
  external_id: 'own-price',
  title: 'Pro',
  price: 4900,
  currency: 'EUR',
  tiered: false,
  interval: null,
}

it.each<{ title: string; view: () => VNode; texts: string[]; without?: string[] }>([
  {
    title: 'a customer has their value, what was billed, and the last change of each subscription',
    view: customer,
    texts: [
      'Customer Ann',
      'Monthly value, net €54.00 1 active of 2 subscriptions',
      'Billed in total, net €100.00 €100.00 with tax, 3 invoices',
      'Billed until 15 Jul 2026 Customer since 17 Mar 2026 Latest invoice 15 Jun 2026',
      'Statement of invoices',
      'Expansion, Jun 2026: plan added: Extra; discount began: Loyal; Pro: price changed €54.00',
      'seats 3',
      'Your id own-ann',
    ],
    without: ['Edit', 'Erase'],
  },
  {
    title: 'a subscription has its plans, what changed, and its invoices',
    view: () => <SubscriptionHistoryView id="sub-ann" />,
    texts: [
      'Ann : Pro, monthly, €49.00 + Extra, monthly, €10.00 Monthly value',
      'Monthly value, net €54.00',
      'State Active until 15 Jul 2026 Since 16 May 2026',
      'Jun 2026 Expansion Extra + Pro plan added: Extra; discount began: Loyal; Pro: price changed €39.00 €54.00 +€15.00',
      'May 2026 New Pro – €0.00 €39.00 +€39.00',
      '2 invoices, EUR',
    ],
  },
  {
    title: 'a plan has the value of the plan alone, and beside its subscriptions the value with all add-ons',
    view: () => <ProductRevenue productId="Pro" />,
    texts: [
      'This plan alone, a month, net, EUR €44.00',
      'Customers, EUR 1 With this plan now',
      'Billed, net, EUR €90.00',
      'Subscriptions with this plan monthly values with all plans and add-ons of each',
      'Ann Pro, monthly, €49.00 + Extra, monthly, €10.00 Active until 15 Jul 2026 16 May 2026 15 Jul 2026 54.00',
    ],
  },
  {
    title: 'a plan that no subscription has says so',
    view: () => <ProductRevenue productId="Gift" />,
    texts: ['No subscription has this plan now.'],
  },
  {
    title: 'a discount has its terms, and its cost in each currency',
    view: () => <DiscountUses discount={loyal} />,
    texts: [
      'Terms 10% off, forever',
      'Invoices with other discounts too 0',
      'counts whole. €5.00 1 customer, 1 invoice',
      'Invoices with it in EUR',
      'Running now active subscriptions whose latest invoice has it Customer Plan Discount ends Billed until Monthly value, net 1 subscription, EUR €54.00 Ann',
    ],
  },
  {
    title: 'a discount that no invoice has says so',
    view: () => <DiscountUses discount={{ ...loyal, id: 'unused' }} />,
    texts: ['No invoice has this discount.', 'No active subscription has this discount.'],
  },
  {
    title: 'an invoice has its customer, its lines with their net amounts, and its totals',
    view: () => paperOf([lineOf({ amount: 10_000, discount_amount: 1000, tax_amount: 1710 })], 10_710),
    texts: [
      'Ann ann@example.org',
      'Date 15 Jun 2026',
      '−€10.00 €17.10 €90.00',
      'Discounts, included in the net amount −€10.00 Net €90.00 Tax €17.10 Total €107.10',
    ],
  },
  {
    title: 'an invoice without lines says so, and its total is net',
    view: () => paperOf([], 4900),
    texts: ['No lines.', 'Net €49.00 Tax €0.00 Total €49.00'],
    without: ['Discounts'],
  },
  {
    title: 'the fields of a record are shown for people',
    view: () => <RecordFields resource={resourceOf('prices')} record={price} />,
    texts: ['Your id own-price', 'Price €49.00', 'Tiered no', 'Interval –'],
  },
  {
    title: 'a table of records has no empty column and none that repeats another',
    view: () => (
      <RecordTable label="Prices" fields={resourceOf('prices').fields} records={[price]} plural="prices" />
    ),
    texts: ['Id Product Title Price Tiered own-price prd_1 Pro €49.00 no'],
    without: ['Interval', 'Currency'],
  },
  {
    title: 'a table without records says so',
    view: () => <RecordTable label="Prices" fields={{}} records={[]} />,
    texts: ['There are none.'],
  },
  {
    title: 'the products have their prices, what each brings and how it has grown',
    view: () => <ProductsView resource={resourceOf('products')} query={{}} />,
    texts: ['All products, EUR 1 €44.00 €90.00', 'Pro 1 44.00', '€49.00 monthly 1 44.00'],
  },
  {
    title: 'the discounts have their use, their cost and its share of full prices',
    view: () => <DiscountsView resource={resourceOf('discounts')} query={{}} />,
    texts: ['All discounts, EUR €5.00 4.8%', 'Loyal 10% off, forever 1 1 – 5.00 4.8% 5.00'],
  },
  {
    title: 'the bar names the application, and has every view but that of prices',
    view: () => <TopBar current="customers" />,
    texts: [
      'Example Ltd',
      'app_1 at https://api.example.org',
      'Overview Finance Customers Invoices Subscriptions Products Discounts',
      'Months and dates are in UTC',
      'Sign out',
    ],
    without: ['Prices', 'Documentation'],
  },
])('$title', async ({ view, texts, without }) => {
  expectTexts(rendered(await business(), view()), texts, without)
})

it('only a key that may change records has the forms that edit and erase a customer', async () => {
  expectTexts(rendered(await business(), customer(), { mayChange: true }), ['Edit', 'Erase for ever'])
})

it('the time zone of the browser is offered until one is chosen', async () => {
  const copy = await business()
  const zone = jest.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions')
  zone.mockReturnValue({ timeZone: 'Europe/Berlin' } as Intl.ResolvedDateTimeFormatOptions)
  expect(rendered(copy, <TimeZoneOffer />)).toContain('Use Europe/Berlin Keep UTC')
  zone.mockRestore()
  expect(rendered(copy, <TimeZoneOffer />)).toBe('')
})
