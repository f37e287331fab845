/** The scroll position of each entry of the tab's history, so that going back shows a page where it was left. */

const positions = new Map<number, number>()
let newest = Date.now()

/**
 * Returns the key of the current entry. A new entry gets one, and begins where the page is: a navigation to the same address
 * replaces the entry, but does not scroll.
 */
const keyOfEntry = (): number => {
  const { page } = (history.state ?? {}) as { readonly page?: number }
  if (page !== undefined) return page
  newest += 1
  history.replaceState({ page: newest }, '')
  positions.set(newest, scrollY)
  return newest
}

/** Where the page is to be shown that was just navigated to; undefined once it is. */
let arrival: number | undefined

/** Reads where the current entry was left before its page is shown, which scrolls. */
const enter = () => {
  const isNew = history.state === null
  const left = positions.get(keyOfEntry())
  arrival = isNew ? 0 : left
}

/**
 * Returns the position at which to show a view that appears: that at which its page was left, 0 for a new page, and the present
 * one if the page has been shown already.
 */
export const positionOfView = (): number => {
  const position = arrival ?? scrollY
  arrival = undefined
  return position
}

/**
 * Scrolls to a position as soon as the page is long enough, since what it shows may be loaded later. Whatever the reader
 * does ends that, and so does the returned function.
 */
export const scrollWhenLong = (position: number): (() => void) => {
  const ending = new AbortController()
  const growth = new ResizeObserver(() => {
    scrollTo(0, position)
    if (scrollY >= position) end()
  })
  const end = () => {
    growth.disconnect()
    ending.abort()
  }
  for (const event of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
    addEventListener(event, end, { signal: ending.signal })
  growth.observe(document.documentElement)
  return end
}

/** Stores, from now on, the position of each entry: as it is scrolled, and before a click leads elsewhere. */
export const watchScrolling = (): void => {
  const store = () => positions.set(keyOfEntry(), scrollY)
  history.scrollRestoration = 'manual'
  enter()
  addEventListener('popstate', enter)
  addEventListener('scroll', store, { passive: true })
  addEventListener('click', store, { capture: true })
}
