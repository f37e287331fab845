import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openConsole, waitUntilSettled } from '../steps/console.ts'
import { expect, testOnDemo } from '../steps/session.ts'
import { type DrivenBrowser, openFirefox, openWebKit } from '../steps/webdriver.ts'

/** The steps of a user in the console in other browsers than Chromium, with the pointer and the keyboard. */

interface Fixtures {
  /** Opens a browser, which is closed at the end of the test. */
  readonly launch: (open: (folder: string) => Promise<DrivenBrowser>) => Promise<DrivenBrowser>
}

const test = testOnDemo.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
  launch: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'browser-'))
    let driven: DrivenBrowser | undefined
    await use(async (open) => {
      driven = await open(folder)
      return driven
    })
    await driven?.close()
    // Programs that the browser has started may still write files.
    rmSync(folder, { recursive: true, maxRetries: 50, retryDelay: 100 })
  },
})

/** Returns an expression for the first visible element that matches a selector and whose label or text contains `part`. */
const first = (selector: string, part = ''): string =>
  `[...document.querySelectorAll('${selector}')].find((element) =>
    element.checkVisibility() && (element.ariaLabel ?? element.textContent).includes('${part}'))`

/** Waits until an expression is true, or an element that it finds is shown. */
const waitFor = ({ evaluate }: DrivenBrowser, expression: string) =>
  // The page cannot evaluate an expression while another page replaces it.
  expect.poll(() => evaluate(`!!(${expression})`).catch(() => ''), { message: expression }).toBe('true')

/** Waits until the copy is complete and the page shows it. */
const upToDate = (driven: DrivenBrowser) =>
  waitFor(driven, `${first('p', 'up to date at')} && !document.querySelector('[aria-busy=true]')`)

const click = async (driven: DrivenBrowser, selector: string, part?: string) => {
  await waitFor(driven, first(selector, part))
  await driven.evaluate(`${first(selector, part)}.scrollIntoView({ block: 'center' })`)
  const { x, y, width, height } = JSON.parse(
    await driven.evaluate(`${first(selector, part)}.getBoundingClientRect()`),
  )
  await driven.perform('pointer', [
    { type: 'pointerMove', x: Math.round(x + width / 2), y: Math.round(y + height / 2) },
    { type: 'pointerDown', button: 0 },
    { type: 'pointerUp', button: 0 },
  ])
}

const type = ({ perform }: DrivenBrowser, text: string) =>
  perform(
    'key',
    [...text].flatMap((value) => ['keyDown', 'keyUp'].map((type) => ({ type, value }))),
  )

const ZONES = first('select[name=zone]')

const openMenu = async (driven: DrivenBrowser) => {
  await click(driven, 'button.application')
  await waitFor(driven, ZONES)
}

/** WebDriver's codes of keys that are not characters. */
const [TAB, ENTER, UP, DOWN] = ['\uE004', '\uE007', '\uE013', '\uE015'] as const

const FIGURES = `[...document.querySelectorAll('.tile, .boards tr, .boards li')].map(({ textContent }) => textContent)`

/** What the browser keeps: databases, and texts that contain a key. */
const keptOf = (apiKey: string): string => `indexedDB.databases().then((databases) =>
  [databases.length, JSON.stringify([{ ...localStorage }, { ...sessionStorage }]).includes('${apiKey}')])`

/** Whether the plots shrink with a page at once: one that is printed is not told of the width of the paper. */
const PLOTS_SHRINK = `(() => {
  document.body.style.width = '300px'
  const middleOf = ({ left, right }) => (left + right) / 2
  // A label stands below its month, so half of the last one may be beside the plot.
  return [...document.querySelectorAll('.plot text:last-of-type')].every(
    (label) => middleOf(label.getBoundingClientRect()) <= label.closest('.plot').getBoundingClientRect().right + 1)
})()`

/** Applies the print styles on the screen. */
const ON_PAPER = `[...document.styleSheets].flatMap(({ cssRules }) => [...cssRules]).forEach(({ media }) => {
  if (media?.mediaText === 'print') media.mediaText = 'all'
})`

for (const [name, open] of Object.entries({ Firefox: openFirefox, WebKit: openWebKit }))
  test(`a person's steps in ${name}, in the dark`, async ({ page, session, launch }) => {
    const { baseUrl, demo } = session.service
    const goTo = (hash: string) => driven.goTo(`${baseUrl}/console${hash}`)
    await session.client.customers.create({ id: name, name: `Person of ${name}` })
    const driven = await launch(open)
    const { evaluate, folder } = driven
    await test.step('signs in by itself', async () => {
      await goTo('')
      await upToDate(driven)
    })
    await test.step('shows the figures that Chromium shows', async () => {
      await openConsole(page, session)
      await waitUntilSettled(page)
      const figures = await page.evaluate<string[]>(FIGURES)
      expect(figures.length).toBeGreaterThan(25)
      expect(JSON.parse(await evaluate(FIGURES))).toEqual(figures)
    })
    await test.step('finds a customer', async () => {
      await type(driven, `/person of ${name.toLowerCase()}`)
      await waitFor(driven, first('[role=option]', name))
      await type(driven, DOWN + UP + ENTER)
      await waitFor(driven, first('h1', `Person of ${name}`))
    })
    await test.step('edits', async () => {
      await click(driven, 'button', 'Edit')
      await click(driven, 'input[name=name]')
      await type(driven, ` renamed${ENTER}`)
      await waitFor(driven, first('h1', `Person of ${name} renamed`))
    })
    await test.step('erases', async () => {
      await click(driven, 'button', 'Erase')
      await click(driven, 'input[name=erased_id]')
      await type(driven, name + TAB + ENTER)
      await waitFor(driven, first('h1', 'Anonymous customer'))
    })
    // Before a file is saved, about which Firefox opens a panel that takes the next Enter.
    await test.step('chooses a time zone', async () => {
      await goTo('#/')
      await upToDate(driven)
      await openMenu(driven)
      await evaluate(`${ZONES}.focus()`)
      await type(driven, `Tokyo${TAB}${ENTER}`)
      await waitFor(driven, first('p', '(Asia/Tokyo)'))
      await openMenu(driven)
      await click(driven, '.top-bar .menu a', 'UTC')
      await waitFor(driven, first('p', '(UTC)'))
    })
    await test.step('saves CSV', async () => {
      await goTo('#/invoices')
      const count = 'document.body.innerText.match(/(\\d+) invoices/)'
      await waitFor(driven, count)
      const shown = await evaluate(`Number(${count}[1])`)
      await click(driven, 'button', 'Invoices as CSV')
      const saved = () =>
        readdirSync(folder)
          .filter((file) => file === 'invoices.csv')
          .map((file) => readFileSync(join(folder, file), 'utf8').trim().split('\r\n').length - 1)
      await expect.poll(saved).toEqual([Number(shown)])
    })
    await test.step('leaves nothing after the sign-out', async () => {
      expect(await evaluate(keptOf(demo.api_key))).toBe('[1,true]')
      await openMenu(driven)
      await click(driven, 'button', 'Sign out')
      await expect.poll(() => evaluate(keptOf(demo.api_key))).toBe('[0,false]')
    })
    await test.step('opens what an address says after the sign-in', async () => {
      await goTo('#/customers/C-2002')
      await click(driven, 'input[name=api_key]')
      await type(driven, ENTER)
      await waitFor(driven, first('h1', 'Verrault Assurances'))
    })
    await test.step('fits a narrow screen, light on dark', async () => {
      await driven.resize(360, 740)
      for (const hash of ['#/', '#/finance', '#/invoices', '#/customers/C-2002']) {
        await goTo(hash)
        await waitFor(driven, first('.tile, .average, .rows'))
        await waitFor(driven, 'document.documentElement.scrollWidth <= innerWidth')
      }
      expect(await evaluate('getComputedStyle(document.body).color')).toBe('"rgb(231, 234, 239)"')
    })
    await test.step('prints dark on light, without controls', async () => {
      await evaluate(ON_PAPER)
      expect(await evaluate(`${first('.top-bar, button, input, summary, nav')} ?? null`)).toBe('null')
      expect(await evaluate('getComputedStyle(document.body).color')).toBe('"rgb(21, 24, 30)"')
      await goTo('#/finance')
      await waitFor(driven, first('.average'))
      expect(await evaluate(PLOTS_SHRINK)).toBe('true')
    })
    await test.step('asks for the key again in a page that was left', async () => {
      await driven.goTo('about:blank')
      await evaluate('(setTimeout(() => history.back()), 0)')
      await waitFor(driven, first('button', 'Sign in'))
    })
  })
