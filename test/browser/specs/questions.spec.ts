import * as analytics from '../../../client/analytics/index.ts'
import { money } from '../../../console/text/format.ts'
import { expect, goTo, type Opened, type Page, search, testOnScenario as test, upToDate } from './open.ts'

/** The questions of a founder, each answered by the page alone; the test prints the clicks and seconds of each answer. */

interface Question {
  readonly question: string
  /** What is clicked from the overview on. */
  readonly clicks: number
  /** Clicks and then expects the answer. */
  readonly answer: (page: Page, data: Data) => Promise<unknown>
}

interface Data {
  readonly invoices: readonly analytics.Invoice[]
  readonly names: ReadonlyMap<string, string>
  readonly now: number
}

const CURRENCY = 'EUR'

const inEuros = <Item extends { readonly currency: string | undefined }>(items: readonly Item[]): Item =>
  items.find(({ currency }) => currency === CURRENCY)!

const tile = (page: Page, title: string | RegExp) => page.locator('.tile', { hasText: title })
const ranking = (page: Page, title: string) => page.locator('.ranking', { hasText: title })

/** Expects the first rows of a ranking. */
const expectRanking = async (
  page: Page,
  title: string,
  rankings: readonly analytics.Ranking[],
  data: Data,
) => {
  for (const [index, { key, name, amount }] of inEuros(rankings).rows.slice(0, 8).entries()) {
    const row = ranking(page, title).locator('li').nth(index)
    await expect(row).toContainText(data.names.get(key) ?? name)
    await expect(row).toContainText(money(amount, CURRENCY))
  }
}

const lastOf = (chart: analytics.Chart, name: string): number =>
  chart.series.find((series) => series.name === name)!.values.at(-1)!

/** What was invoiced in the months that the overview shows. */
const recent = ({ invoices, now }: Data): readonly analytics.Invoice[] => {
  const month = inEuros(analytics.invoicedByMonth(invoices, now)).months.at(-12)!
  return invoices.filter(({ created }) => created >= Date.UTC(1970, month) / 1000)
}

/** Expects the list of the customers with a change in a month. */
const expectChanged = async (
  page: Page,
  { invoices, names, now }: Data,
  { change, monthsAgo }: { change: analytics.CustomerChange['name']; monthsAgo: number },
): Promise<void> => {
  const month = inEuros(analytics.invoicedByMonth(invoices, now)).months.at(-1)! - monthsAgo
  const changed = analytics
    .customerChangesOf(invoices, now)
    .filter((each) => each.name === change && each.month === month)
  const shown = [...new Set(changed.map(({ customer_id: id }) => names.get(id)!))]
  expect(shown.length).toBeGreaterThan(0)
  await expect(page.getByText(new RegExp(`^${shown.length} customers?$`))).toBeVisible()
  for (const name of shown) await expect(page.getByRole('link', { name, exact: true })).toBeVisible()
}

const questions: readonly Question[] = [
  {
    question: 'What did we invoice by month?',
    clicks: 1,
    answer: async (page, { invoices, now }) => {
      const chart = page.locator('section.card', {
        has: page.getByRole('heading', { name: 'Invoiced', exact: true }),
      })
      await chart.getByText('Figures').click()
      const values = inEuros(analytics.invoicedByMonth(invoices, now)).series[0]!.values.slice(-12)
      const amounts = values.toReversed().map((value) => money(value, CURRENCY))
      await expect(chart.locator('td')).toHaveText(amounts)
    },
  },
  {
    question: 'What is our monthly recurring revenue?',
    clicks: 0,
    answer: (page, { invoices, now }) =>
      expect(tile(page, 'Monthly recurring revenue').locator('.big')).toHaveText(
        money(lastOf(inEuros(analytics.recurringByMonth(invoices, now)), 'All plans'), CURRENCY),
      ),
  },
  {
    question: 'How many customers are active, new, lost?',
    clicks: 0,
    answer: async (page, { invoices, now }) => {
      const chart = analytics.customersByMonth(invoices, now)
      const [active, fresh, back, lost] = ['Active', 'New', 'Reactivated', 'Lost'].map((name) =>
        lastOf(chart, name),
      )
      await expect(tile(page, 'Active customers').locator('.big')).toHaveText(`${active}`)
      const signed = (sign: string, count: number) => `${count > 0 ? sign : ''}${count}`
      await expect(tile(page, 'Active customers')).toContainText(
        `${signed('+', fresh! + back!)} new or back, ${signed('−', lost!)} lost`,
      )
    },
  },
  {
    question: 'What share did we lose in the last full month?',
    clicks: 0,
    answer: (page, { invoices, now }) => {
      const rate = analytics.ratesByMonth(invoices, now)[0]!.series[0]!.values.at(-2)!
      return expect(tile(page, /^Lost,/).locator('.big')).toHaveText(
        new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 }).format(rate),
      )
    },
  },
  {
    question: 'Who pays most?',
    clicks: 0,
    answer: (page, data) =>
      expectRanking(page, 'Who pays most', analytics.invoicedByCustomer(recent(data), data.now), data),
  },
  {
    question: 'Which discounts cost what?',
    clicks: 0,
    answer: (page, data) =>
      expectRanking(
        page,
        'What discounts cost',
        analytics.discountedByDiscount(recent(data), data.now),
        data,
      ),
  },
  {
    question: 'What did each plan bring?',
    clicks: 0,
    answer: (page, data) =>
      expectRanking(page, 'Revenue by plan', analytics.billedByPlan(recent(data), data.now), data),
  },
  {
    question: 'What do we have of the customer with our id customer-12?',
    clicks: 1,
    answer: async (page, data) => {
      await search(page).fill('customer-12')
      await search(page).press('Enter')
      await expectCustomer(page, 'Customer 12', data)
    },
  },
  {
    question: 'What do we have of somebody by name?',
    clicks: 1,
    answer: async (page, data) => {
      await search(page).fill('customer 7')
      await page.getByRole('option').first().click()
      await expectCustomer(page, 'Customer 7', data)
    },
  },
  {
    question: 'What changed this week?',
    clicks: 1,
    answer: async (page, { invoices, now }) => {
      await page.getByRole('link', { name: 'All invoices of this week' }).click()
      const day = new Date(now * 1000)
      const monday = Date.UTC(
        day.getUTCFullYear(),
        day.getUTCMonth(),
        day.getUTCDate() - ((day.getUTCDay() + 6) % 7),
      )
      const count = invoices.filter(({ created }) => created >= monday / 1000 && created <= now).length
      await expect(page.getByText(new RegExp(`^${count} invoices?$`))).toBeVisible()
      await expect(page.locator('tbody tr')).toHaveCount(count)
    },
  },
  {
    question: 'Who joined this month?',
    clicks: 1,
    answer: async (page, { invoices, names, now }) => {
      await page.getByRole('link', { name: /customers? joined/ }).click()
      await expectChanged(page, { invoices, names, now }, { change: 'New', monthsAgo: 0 })
    },
  },
  {
    question: 'Who left in the last full month?',
    clicks: 1,
    answer: async (page, data) => {
      await page.getByRole('link', { name: /^\d+ of \d+ customers?$/ }).click()
      await expectChanged(page, data, { change: 'Lost', monthsAgo: 1 })
    },
  },
]

/** Expects the page of a customer with what they were invoiced and each of their invoices. */
const expectCustomer = async (page: Page, name: string, { invoices, names }: Data): Promise<void> => {
  await expect(page.getByRole('heading', { name: `Customer ${name}`, exact: true })).toBeVisible()
  const own = invoices.filter(({ customer_id: id }) => names.get(id) === name)
  const total = own.reduce((sum, invoice) => sum + invoice.total, 0)
  await expect(tile(page, 'Invoiced in all').locator('.big')).toHaveText(money(total, own[0]!.currency))
  await expect(page.getByRole('region', { name: 'Invoices' }).locator('tbody tr')).toHaveCount(own.length)
}

/** Records a customer who joins today: the invoices of the scenario begin with their month. */
const recordToday = async ({ client }: Opened): Promise<void> => {
  const today = new Date().toISOString().slice(0, 10)
  await client.customers.create({ id: 'new', name: 'New Customer' })
  const plan = { type: 'recurring', interval: 'month', interval_count: 1, price_id: 'pro-EUR' } as const
  await client.invoices.create({
    ...{ id: 'new-1', customer_id: 'new', subscription_id: 'new', total: 2900, currency: CURRENCY },
    ...{ created: today, period_start: today, period_end: '2100-01-01' },
    line_items: [{ id: '1', amount: 2900, ...plan }],
  })
}

const read = async ({ client }: Opened): Promise<Data> => {
  const include = ['line_items', 'price', 'discounts'] as const
  const invoices = await Array.fromAsync(client.invoices.all({ include: [...include] }))
  const customers = await Array.fromAsync(client.customers.all())
  return {
    invoices,
    names: new Map(customers.map(({ id, name }) => [id, name!])),
    now: Math.floor(Date.now() / 1000),
  }
}

test('the page alone answers the questions of a founder, each with at most one click', async ({
  page,
  opened,
}) => {
  await recordToday(opened)
  const data = await read(opened)
  const table: string[] = []
  for (const { question, clicks, answer } of questions)
    await test.step(question, async () => {
      if (clicks > 0) {
        await goTo(page, opened)
        await upToDate(page)
      }
      const began = performance.now()
      if (clicks === 0) await goTo(page, opened)
      await answer(page, data)
      const seconds = ((performance.now() - began) / 1000).toFixed(1)
      table.push(`| ${question} | ${clicks} | ${seconds} |`)
    })
  console.log(['| Question | Clicks | Seconds |', '|---|--:|--:|', ...table].join('\n'))
})
