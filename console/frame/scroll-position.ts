/** The scroll position of each entry of the tab's history, so that going back shows a page where it was left. */

const positions = new Map<number, number>()
/**
 * The key of the newest entry. It starts with the current time, so that it differs from the keys of entries before a reload.
 */
let newestKey = Date.now()

/**
 * A new entry gets a key and starts at the current scroll position, because navigating to the same address replaces the entry
 * without scrolling.
 */
const keyOfEntry = (): number => {
  const { page } = (history.state ?? {}) as { readonly page?: number }
  if (page !== undefined) return page
  newestKey += 1
  history.replaceState({ page: newestKey }, '')
  positions.set(newestKey, scrollY)
  return newestKey
}

/** The position at which to show the page that was just navigated to; undefined once it is shown. */
let arrival: number | undefined

/**
 * Sets `arrival` for the current entry. It must run before the page is shown, which scrolls and changes the stored position.
 */
const setArrival = () => {
  const isNew = history.state === null
  const storedPosition = positions.get(keyOfEntry())
  arrival = isNew ? 0 : storedPosition
}

/** Where the user left its page, 0 for a new page, or the current position if the page is already shown. */
export const positionOfView = (): number => {
  const position = arrival ?? scrollY
  arrival = undefined
  return position
}

/**
 * Scrolls once the page is long enough, because its content may be loaded later. Any input from the user stops this, and so
 * does the returned function.
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

/**
 * Starts to store the position of each entry, whenever it is scrolled and before each click, which may lead to another page.
 */
export const watchScrolling = (): void => {
  const store = () => positions.set(keyOfEntry(), scrollY)
  history.scrollRestoration = 'manual'
  setArrival()
  addEventListener('popstate', setArrival)
  addEventListener('scroll', store, { passive: true })
  addEventListener('click', store, { capture: true })
}
