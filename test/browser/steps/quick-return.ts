import { expect, type Page } from '@playwright/test'
import { goTo, waitUntilSettled } from './console.ts'
import { processorTime } from './processor-time.ts'
import type { Session } from './session.ts'

/** Scrolls a page down, and waits for the scroll event, which comes before the next frame. Returns the position. */
export const scrollDown = async (page: Page, to: number): Promise<number> => {
  const position = await page.evaluate<number>(
    `new Promise((resolve) => { scrollTo(0, ${to}); requestAnimationFrame(() => resolve(scrollY)) })`,
  )
  expect(position).toBeGreaterThan(100)
  return position
}

/** The most frames that going back may take. They take 200 ms unless the page is busy. */
const MAX_FRAMES = 12
/** The most processor time that going back may take, in milliseconds: far more than it does, because processors differ. */
const MAX_MILLIS = 1_000

/** Goes back. Returns how many frames are drawn until the page shows a tile or a list at this scroll position. */
const framesOfReturn = (page: Page, position: number): Promise<number> =>
  page.evaluate<number>(`new Promise((resolve, reject) => {
    const path = location.hash
    let frames = 0
    const look = () => {
      const isBack = location.hash !== path
      if (isBack && document.querySelector('.tile, .rows') && scrollY === ${position}) return resolve(frames)
      if (isBack) frames += 1
      if (frames > 1_000)
        return reject(new Error('still at ' + scrollY + ' of ' + location.hash + ', was left at ${position}'))
      return requestAnimationFrame(look)
    }
    history.back()
    look()
  })`)

/**
 * Scrolls a page down, goes to another page and back, and expects that the page is quickly shown where it was left, at least once in
 * three times. Quick means little processor time and few frames: a page that waits for another thread draws frames meanwhile.
 */
export const expectQuickReturn = async (
  page: Page,
  session: Session,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> => {
  const returns: { readonly millis: number; readonly frames: number }[] = []
  await goTo(page, session, from)
  await expect(page.locator('.tile, .rows').first()).toBeVisible()
  await waitUntilSettled(page)
  const position = await scrollDown(page, 400)
  const isQuick = () => returns.some(({ millis, frames }) => millis < MAX_MILLIS && frames <= MAX_FRAMES)
  while (returns.length < 3 && !isQuick()) {
    await goTo(page, session, to)
    await expect.poll(() => page.evaluate<number>('scrollY')).toBe(0)
    await expect(page.locator('.tile, .rows').first()).toBeVisible()
    let frames = 0
    const { total: millis } = await processorTime(page, async () => {
      frames = await framesOfReturn(page, position)
    })
    returns.push({ millis, frames })
  }
  const measured = returns.map(({ millis, frames }) => `${Math.round(millis)} ms in ${frames} frames`)
  console.log(`back to #/${from}: ${measured.join(', ')}`)
  expect(isQuick()).toBe(true)
}
