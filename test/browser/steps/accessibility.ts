import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'
import { waitUntilSettled } from './console.ts'

/** Expects that the page is not wider than the screen. */
export const expectFits = (page: Page): Promise<void> =>
  expect
    .poll(() => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'))
    .toBeLessThanOrEqual(0)

/** Runs axe with the middle rows of long tables hidden: they are like the other rows, and checking them takes seconds. */
const FIND_VIOLATIONS = `(async () => {
  const hidden = new CSSStyleSheet()
  hidden.replaceSync('tbody tr:nth-child(n + 9):nth-last-child(n + 4) { display: none }')
  document.adoptedStyleSheets = [hidden]
  const { violations } = await axe.run({ resultTypes: ['violations'] })
  document.adoptedStyleSheets = []
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html))
})()`

/** Expects that the page is not wider than the screen, and that axe finds no violation. */
export const expectAccessible = async (page: Page): Promise<void> => {
  await waitUntilSettled(page)
  await expectFits(page)
  if (!(await page.evaluate('globalThis.axe'))) await page.evaluate(axe.source)
  expect(await page.evaluate<string[]>(FIND_VIOLATIONS)).toEqual([])
}
