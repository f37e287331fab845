/** The scroll position of each entry of the tab's history, so that going back shows a page where it was left. */

const positions = new Map<number, number>()
let newest = Date.now()

const keyOf = (): number | undefined => (history.state as { readonly page?: number } | null)?.page

/** Gives the current entry of the history a key. Returns the position at which it was left, or undefined if it is new. */
export const positionOfPage = (): number | undefined => {
  const key = keyOf()
  if (key !== undefined) return positions.get(key)
  newest += 1
  history.replaceState({ page: newest }, '')
  return undefined
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

/** Stores, from now on, the position of each entry as it is scrolled. */
export const watchScrolling = (): void => {
  history.scrollRestoration = 'manual'
  addEventListener('scroll', () => positions.set(keyOf() ?? 0, scrollY), { passive: true })
}
