import { execFileSync } from 'node:child_process'
import { range } from '../../support/range.ts'
import { monthlyInvoice } from '../records/monthly-invoice.ts'
import { goTo, openConsole } from '../steps/console.ts'
import { expect, type Page, recordDemo, type Session, test } from '../steps/session.ts'

/** A word on a page of paper, with its distances from the left and the top in points. */
interface Word {
  readonly text: string
  readonly right: number
  readonly top: number
}

interface PaperPage {
  readonly width: number
  readonly text: string
  readonly words: readonly Word[]
}

const attributes = (tag: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...tag.matchAll(/(\w+)="([\d.]+)"/g)].map(([, name = '', value]) => [name, Number(value)]),
  )

/** Prints a page as PDF, in the size that its styles choose, and returns its pages as poppler reads them. */
const printed = async (page: Page, path: string): Promise<PaperPage[]> => {
  await page.pdf({ path, preferCSSPageSize: true })
  const xml = execFileSync('pdftotext', ['-bbox', path, '-'], { encoding: 'utf8' })
  return xml
    .split('<page ')
    .slice(1)
    .map((part) => {
      const words = [...part.matchAll(/<word ([^>]*)>([^<]*)</g)].map(([, tag = '', text = '']) => {
        const { xMax = 0, yMin = 0 } = attributes(tag)
        return { text, right: xMax, top: yMin }
      })
      const { width = 0 } = attributes(part.slice(0, part.indexOf('>')))
      return { width, words, text: words.map(({ text }) => text).join(' ') }
    })
}

/** Records invoices of one customer, all with long descriptions and a discount, so that every column is used. */
const recordInvoices = async ({ client }: Session, count: number) => {
  await client.customers.create({
    id: 'long',
    name: 'Wolfgang Maximilian Freiherr von Hohenstein GmbH & Co. KG',
  })
  for (const index of range(count))
    await client.invoices.create({
      ...monthlyInvoice(`RE-2026-${String(index).padStart(4, '0')}`, 1_234_567_00),
      customer_id: 'long',
      subscription_id: 'long-subscription',
    })
}

const occurrences = (text: string, part: string): number => text.split(part).length - 1

const views: readonly {
  readonly name: string
  readonly hash: string
  readonly heading: string
  readonly total: string
  readonly invoices: number
  readonly pages: number
}[] = [
  { name: 'list', hash: 'invoices', heading: 'Invoices', total: 'invoices, EUR', invoices: 5, pages: 1 },
  { name: 'list', hash: 'invoices', heading: 'Invoices', total: 'invoices, EUR', invoices: 28, pages: 2 },
  { name: 'list', hash: 'invoices', heading: 'Invoices', total: 'invoices, EUR', invoices: 68, pages: 5 },
  {
    name: 'statement',
    hash: 'customers/long/statement',
    heading: 'Statement',
    total: 'invoices, EUR',
    invoices: 5,
    pages: 1,
  },
  {
    name: 'statement',
    hash: 'customers/long/statement',
    heading: 'Statement',
    total: 'invoices, EUR',
    invoices: 40,
    pages: 2,
  },
  {
    name: 'statement',
    hash: 'customers/long/statement',
    heading: 'Statement',
    total: 'invoices, EUR',
    invoices: 110,
    pages: 5,
  },
]

for (const { name, hash, heading, total, invoices, pages } of views)
  test(`a ${name} of ${invoices} invoices is printed on about ${pages} pages, each with the head of the table and all columns`, async ({
    page,
    session,
  }, testInfo) => {
    await recordInvoices(session, invoices)
    await openConsole(page, session)
    await goTo(page, session, hash)
    await expect(page.locator('.rows tbody tr').first()).toBeVisible()
    const paper = await printed(page, testInfo.outputPath('paper.pdf'))
    const all = paper.map(({ text }) => text).join(' ')
    expect(Math.abs(paper.length - pages)).toBeLessThanOrEqual(1)
    for (const { words, width, text } of paper) {
      expect(text).toContain('Number')
      expect(text).toContain('Total')
      expect(occurrences(text, 'RE-2026-')).toBeGreaterThanOrEqual(Math.min(3, invoices))
      expect(Math.max(...words.map(({ right }) => right))).toBeLessThan(width)
    }
    // Numbers and amounts are whole, and each invoice is there once.
    expect(all.match(/RE-2026-\d{4}/g)).toHaveLength(invoices)
    expect(all.match(/1,234,567\.00/g)!.length).toBeGreaterThanOrEqual(2 * invoices)
    expect(occurrences(all, heading)).toBe(1)
    // The grand total stands at the end, and nowhere else.
    expect(occurrences(all, total)).toBe(1)
    expect(paper.at(-1)!.text).toContain(total)
  })

test('movements are printed with all columns, and with their sums at the end', async ({
  page,
  session,
}, testInfo) => {
  await recordDemo(session.service)
  await openConsole(page, session)
  await goTo(page, session, 'movements')
  await expect(page.locator('.rows tbody tr:not(.sums)').first()).toBeVisible()
  const paper = await printed(page, testInfo.outputPath('paper.pdf'))
  expect(paper.length).toBeGreaterThan(1)
  for (const { words, width, text } of paper) {
    for (const title of ['Month', 'Movement', 'Reason', 'Before, a month', 'Change'])
      expect(text).toContain(title)
    expect(Math.max(...words.map(({ right }) => right))).toBeLessThan(width)
  }
  const all = paper.map(({ text }) => text).join(' ')
  expect(occurrences(all, 'Movements')).toBe(1)
  expect(all).not.toContain('Net change')
  expect(occurrences(all, 'movements, EUR')).toBe(1)
  expect(paper.at(-1)!.text).toContain('movements, EUR')
})

test.describe('in a browser of another time zone', () => {
  test.use({ timezoneId: 'Europe/Berlin' })

  test('a list by segment is printed from its first page, with whole words', async ({
    page,
    session,
  }, testInfo) => {
    await recordDemo(session.service)
    await openConsole(page, session)
    await goTo(page, session, 'invoices?by=segment')
    await expect(page.locator('.rows tbody tr:not(.sums)').first()).toBeVisible()
    const [first, ...others] = await printed(page, testInfo.outputPath('paper.pdf'))
    expect(first!.text).toMatch(/^Invoices /)
    const words = [first!, ...others].flatMap((paper) => paper.words.map(({ text }) => text))
    for (const word of ['Customer', 'Segment', 'freelancer']) expect(words).toContain(word)
  })
})

test('the overview is printed with whole figures below whole titles', async ({ page, session }, testInfo) => {
  await recordDemo(session.service)
  await openConsole(page, session)
  const figures = await page.locator('.tile .big').allInnerTexts()
  const titles = await page.locator('.tile h2').allInnerTexts()
  expect(figures).toHaveLength(6)
  const [first] = await printed(page, testInfo.outputPath('paper.pdf'))
  for (const text of [...titles, ...figures]) expect(first!.text).toContain(text)
})
