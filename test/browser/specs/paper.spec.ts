import { execFileSync } from 'node:child_process'
import { range } from '../../support/range.ts'
import { monthlyInvoice } from '../records/monthly-invoice.ts'
import { goTo, openConsole, rowsOf } from '../steps/console.ts'
import { expect, type Page, type Session, test, testOnDemo } from '../steps/session.ts'

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

/** Records invoices of a customer whose id ends with their number, all with high amounts, so that every column is wide. */
const recordInvoices = async ({ client }: Session, count: number) => {
  const customer_id = `long-${count}`
  const name = 'Wolfgang Maximilian Freiherr von Hohenstein GmbH & Co. KG'
  await client.customers.create({ id: customer_id, name })
  for (const index of range(count))
    await client.invoices.create({
      ...monthlyInvoice(`RE-${count + 1000}-${String(index).padStart(4, '0')}`, 1_234_567_00),
      customer_id,
      subscription_id: customer_id,
    })
}

const occurrences = (text: string, part: string): number => text.split(part).length - 1

/** Expects that a list or a statement of all invoices of a customer is printed whole. */
const expectWhole = (paper: readonly PaperPage[], heading: string, invoices: number): void => {
  const all = paper.map(({ text }) => text).join(' ')
  for (const { words, width, text } of paper) {
    expect(text).toContain('Number')
    expect(text).toContain('Total')
    expect(occurrences(text, 'RE-1')).toBeGreaterThanOrEqual(Math.min(3, invoices))
    expect(Math.max(...words.map(({ right }) => right))).toBeLessThan(width)
  }
  // Numbers and amounts are whole, and each invoice is there once.
  expect(new Set(all.match(/RE-1\d{3}-\d{4}/g)).size).toBe(invoices)
  expect(occurrences(all, 'RE-1')).toBe(invoices)
  expect(all.match(/1,234,567\.00/g)!.length).toBeGreaterThanOrEqual(2 * invoices)
  expect(occurrences(all, heading)).toBe(1)
  // The grand total stands at the end, and nowhere else.
  expect(occurrences(all, 'invoices, EUR')).toBe(1)
  expect(paper.at(-1)!.text).toContain('invoices, EUR')
}

const LIST = { heading: 'Invoices', hashFor: (count: number) => `invoices?text=long-${count}` }
const STATEMENT = { heading: 'Statement', hashFor: (count: number) => `customers/long-${count}/statement` }
/** Each is another view than the one before. */
const views = [
  { ...LIST, invoices: 5, pages: 1 },
  { ...STATEMENT, invoices: 5, pages: 1 },
  { ...LIST, invoices: 28, pages: 2 },
  { ...STATEMENT, invoices: 28, pages: 2 },
  { ...LIST, invoices: 68, pages: 5 },
  { ...STATEMENT, invoices: 110, pages: 5 },
]

test('lists and statements are printed on few pages, each with the head of the table and all columns', async ({
  page,
  session,
}, testInfo) => {
  for (const count of new Set(views.map(({ invoices }) => invoices))) await recordInvoices(session, count)
  await openConsole(page, session)
  for (const { heading, hashFor, invoices, pages } of views)
    await test.step(`${heading}: ${invoices} invoices on about ${pages} pages`, async () => {
      await goTo(page, session, hashFor(invoices))
      await expect(page.locator('.rows tbody tr').first()).toBeVisible()
      const paper = await printed(page, testInfo.outputPath('paper.pdf'))
      expect(Math.abs(paper.length - pages)).toBeLessThanOrEqual(1)
      expectWhole(paper, heading, invoices)
    })
})

testOnDemo(
  'movements are printed with all columns, and with their sums at the end',
  async ({ page, session }, testInfo) => {
    await openConsole(page, session)
    await goTo(page, session, 'movements')
    await expect(rowsOf(page).first()).toBeVisible()
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
  },
)

testOnDemo.describe('in a browser of another time zone', () => {
  testOnDemo.use({ timezoneId: 'Europe/Berlin' })

  testOnDemo(
    'a list by segment is printed from its first page, with whole words',
    async ({ page, session }, testInfo) => {
      await openConsole(page, session)
      await goTo(page, session, 'invoices?by=segment')
      await expect(rowsOf(page).first()).toBeVisible()
      const [first, ...others] = await printed(page, testInfo.outputPath('paper.pdf'))
      expect(first!.text).toMatch(/^Invoices /)
      const words = [first!, ...others].flatMap((paper) => paper.words.map(({ text }) => text))
      for (const word of ['Customer', 'Segment', 'freelancer']) expect(words).toContain(word)
    },
  )
})

testOnDemo(
  'the overview is printed with whole figures below whole titles',
  async ({ page, session }, testInfo) => {
    await openConsole(page, session)
    const figures = await page.locator('.tile .big').allInnerTexts()
    const titles = await page.locator('.tile h2').allInnerTexts()
    expect(figures).toHaveLength(6)
    const [first] = await printed(page, testInfo.outputPath('paper.pdf'))
    for (const text of [...titles, ...figures]) expect(first!.text).toContain(text)
  },
)
