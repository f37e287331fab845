/**
 * Shows a heading at once. Scalar follows after the page was painted: it renders all guides again before it jumps by itself,
 * which takes seconds.
 */
export const jumpTo = (address: string): void => {
  document.querySelector(`[id$="/${CSS.escape(address)}"]`)?.scrollIntoView()
  requestAnimationFrame(() => {
    setTimeout(() => {
      location.hash = address
    })
  })
}

/** Makes every link of the page to one of its headings jump there at once. */
export const jumpOnClicks = (): void => {
  const onClick = (event: MouseEvent) => {
    const link = (event.target as Element).closest('a[href^="#"]')
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    event.stopPropagation()
    jumpTo(link.getAttribute('href')!.slice(1))
  }
  // While the event is captured, before a listener of Scalar sees it.
  addEventListener('click', onClick, { capture: true })
}
