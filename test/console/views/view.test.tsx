import { addressFrom } from '../../../console/frame/address.ts'
import { SignIn } from '../../../console/views/sign-in.tsx'
import { keyOf, View, viewOf } from '../../../console/views/view.tsx'
import { filledCopy, invoice, openInMemory } from '../copy/copy-in-memory.ts'
import { expectTexts, rendered, textOf } from './rendered.tsx'

const ann = { id: 'ann', external_id: 'own-ann', name: 'Ann', email: 'ann@example.org' }

const business = () => filledCopy([ann], [invoice('one')])

it.each([
  ['', 'Overview'],
  ['finance', 'Close of a month'],
  ['customers', '1 customer'],
  ['movements', '1 movement'],
  ['invoices?text=Ann', '1 invoice'],
  ['subscriptions', '1 subscription'],
  ['products', 'There are no products.'],
  ['discounts', 'There are no discounts.'],
  ['prices', 'Prices Example Ltd'],
  ['customers/own-ann', 'Customer Ann'],
  ['customers/own-ann/statement', 'Statement of invoices Ann'],
  ['invoices/one', 'Invoice one'],
  ['products/pro', 'Product pro'],
  ['discounts/loyal', 'Discount loyal'],
  ['subscriptions/sub-ann', 'Subscription sub-ann'],
  ['prices/monthly', 'Price monthly'],
  ['find?id=42', 'Look up 42'],
  // The service filters by these parameters, not the copy.
  ['invoices?customer_id=ann', 'Filtered by: Customer: ann Loading …'],
  ['elsewhere', 'There is no such page'],
  ['invoices?banana=1', 'This page has no parameter "banana". The address has "1".'],
])('the address "%s" shows "%s"', async (hash, text) =>
  expect(rendered(await business(), <View {...addressFrom(hash)} />)).toContain(text),
)

it.each([
  ['customers', 'Customers Example Ltd'],
  ['customers/ann', 'Customer ann'],
  ['', 'Overview'],
])('before the copy is complete, the address "%s" shows what the service returns', async (hash, text) => {
  const shown = rendered(await openInMemory(), <View {...addressFrom(hash)} />)
  expect(shown).toContain(text)
  expect(shown).not.toContain('1 customer')
})

it('a view is mounted again for another record or request, but not for another choice of a list', () => {
  const keys = (hashes: readonly string[]) => new Set(hashes.map((hash) => keyOf(addressFrom(hash)))).size
  expect(keys(['invoices', 'invoices?text=Ann', 'invoices?zone=Europe/Berlin&page=2'])).toBe(1)
  expect(keys(['invoices/one', 'invoices/one?zone=Europe/Berlin', 'invoices/one?app=app_1'])).toBe(1)
  expect(keys(['invoices/one', 'invoices/two', 'prices', 'prices?cursor=abc'])).toBe(4)
})

it('movements belong to the customers in the bar', () =>
  expect(['movements', 'invoices/one', ''].map((hash) => viewOf(addressFrom(hash)))).toEqual([
    'customers',
    'invoices',
    '',
  ]))

const filledIn = { appId: 'app_1', apiKey: 'bdk_1' }

const signIn = (props: Partial<Parameters<typeof SignIn>[0]>) =>
  textOf(
    <SignIn
      filledIn={{}}
      wantedAppId={undefined}
      otherAppId={undefined}
      reason={undefined}
      onSignedIn={() => undefined}
      {...props}
    />,
  )

const ADDRESS = 'This address belongs to the application app_2'
const LINK = 'To the application that this page can open'

it.each<{ title: string; props: Parameters<typeof signIn>[0]; texts: string[]; without: string[] }>([
  {
    title: 'asks for the credentials',
    props: {},
    texts: ['Sign in', 'Application id', 'API key'],
    without: [ADDRESS],
  },
  {
    title: 'uses the credentials that the page has filled in',
    props: { filledIn },
    texts: ['Signing in …'],
    without: ['API key'],
  },
  {
    title: 'uses them for an address of their application',
    props: { filledIn, wantedAppId: 'app_1' },
    texts: ['Signing in …'],
    without: [ADDRESS],
  },
  {
    title: 'names the other application of an address, and leads to the one that the page can open',
    props: { filledIn, wantedAppId: 'app_2', otherAppId: 'app_1' },
    texts: [ADDRESS, LINK],
    without: ['Signing in'],
  },
  {
    title: 'leads nowhere from the address of an application if the page can open no other',
    props: { wantedAppId: 'app_2', otherAppId: 'app_2' },
    texts: [ADDRESS],
    without: [LINK],
  },
  {
    title: 'says why the session has ended, and does not sign in again by itself',
    props: { filledIn, reason: new Error('The key was revoked.') },
    texts: ['The key was revoked.', 'API key'],
    without: ['Signing in'],
  },
])('the sign-in $title', ({ props, texts, without }) => expectTexts(signIn(props), texts, without))
