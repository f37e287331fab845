import type { Page } from '@playwright/test'

/** Returns a list that grows with the page's errors, failed requests and requests to other hosts. */
export const watchTroubles = (page: Page, baseUrl: string): string[] => {
  const troubles: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      troubles.push(`console: ${message.text()}`)
  })
  page.on('pageerror', ({ message }) => troubles.push(`error: ${message}`))
  page.on('requestfailed', (request) => {
    // A page aborts requests that it no longer needs.
    const isAborted = request.failure()?.errorText === 'net::ERR_ABORTED'
    if (!isAborted) troubles.push(`failed: ${request.url()}`)
  })
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (origin !== baseUrl && protocol !== 'data:' && protocol !== 'blob:')
      troubles.push(`request elsewhere: ${request.url()}`)
  })
  return troubles
}
