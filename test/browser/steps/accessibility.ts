import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { waitUntilSettled } from './console.ts'

/** Expects that the page is not wider than the screen. */
export const expectFits = (page: Page): Promise<void> =>
  expect
    .poll(() => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'))
    .toBeLessThanOrEqual(0)

/** Expects that axe finds no violation, and that the page is not wider than the screen. */
export const expectAccessible = async (page: Page): Promise<void> => {
  await waitUntilSettled(page)
  // The legacy mode of axe does not check frames of other origins, which the console does not have, and takes half the time.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  const { violations } = await axe.analyze()
  expect(violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))).toEqual([])
  await expectFits(page)
}
