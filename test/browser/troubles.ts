import type { Page } from '@playwright/test'

/** Collects errors, failed requests and requests to other hosts. */
export const watch = (page: Page, baseUrl: string): string[] => {
  const troubles: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      troubles.push(`console: ${message.text()}`)
  })
  page.on('pageerror', ({ message }) => troubles.push(`error: ${message}`))
  page.on('requestfailed', (request) => {
    // A page ends what it no longer needs.
    const aborted = request.failure()?.errorText === 'net::ERR_ABORTED'
    if (!aborted) troubles.push(`failed: ${request.url()}`)
  })
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (origin !== baseUrl && protocol !== 'data:' && protocol !== 'blob:')
      troubles.push(`request elsewhere: ${request.url()}`)
  })
  return troubles
}
