/** Where one was on each page of the tab's history: a page that one comes back to is shown where it was left. */

const positions = new Map<number, number>()
let newest = Date.now()

const keyOf = (): number | undefined => (history.state as { readonly page?: number } | null)?.page

/** Gives the current page its place in the history. Returns where it was left, or undefined if it is new. */
export const placeOfPage = (): number | undefined => {
  const key = keyOf()
  if (key !== undefined) return positions.get(key)
  newest += 1
  history.replaceState({ page: newest }, '')
  return undefined
}

/** Remembers, from now on, where each page is left. */
export const watchPlaces = (): void => {
  history.scrollRestoration = 'manual'
  addEventListener('scroll', () => positions.set(keyOf() ?? 0, scrollY), { passive: true })
}
