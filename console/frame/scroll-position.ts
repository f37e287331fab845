/** The scroll position of each entry of the tab's history, so that going back shows a page where it was left. */

const positions = new Map<number, number>()
let newest = Date.now()

/**
 * Returns the key of the current entry. A new entry gets a key and starts at the current scroll position,
 * because navigating to the same address replaces the entry without scrolling.
 */
const keyOfEntry = (): number => {
  const { page } = (history.state ?? {}) as { readonly page?: number }
  if (page !== undefined) return page
  newest += 1
  history.replaceState({ page: newest }, '')
  positions.set(newest, scrollY)
  return newest
}

/** The position at which to show the page that was just navigated to; undefined once it is shown. */
let arrival: number | undefined

/** Reads where the current entry was left before its page is shown, which scrolls. */
const enter = () => {
  const isNew = history.state === null
  const left = positions.get(keyOfEntry())
  arrival = isNew ? 0 : left
}

/**
 * Returns the position at which to show a view that appears: where the user left its page, 0 for a new page, or the
 * current position if the page is already shown.
 */
export const positionOfView = (): number => {
  const position = arrival ?? scrollY
  arrival = undefined
  return position
}

/**
 * Scrolls to a position as soon as the page is long enough, because its content may be loaded later. Any input from the user
 * stops this, and so does the returned function.
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
