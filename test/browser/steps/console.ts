import { expect, type Page } from '@playwright/test'
import type { Session } from './session.ts'

/** Steps of a user in the console. */

/** Goes to another view, and waits until the previous view, which may have the same elements, is gone. */
export const goTo = async (page: Page, { service }: Session, hash = ''): Promise<void> => {
  await page.evaluate(`document.querySelector('main')?.setAttribute('data-previous', '')`)
  await page.goto(`${service.baseUrl}/console${hash && `#/${hash}`}`)
  await expect(page.locator('main:not([data-previous])')).toBeVisible()
}

/** Opens the console, which signs in with the demo's key by itself, and waits until its copy is complete. */
export const openConsole = async (page: Page, session: Session): Promise<void> => {
  await goTo(page, session)
  await waitUntilUpToDate(page)
}

/** Waits until the copy is complete, and the page shows it. */
export const waitUntilUpToDate = async (page: Page): Promise<void> => {
  await expect(page.getByText(/up to date at/)).toBeVisible()
  await waitUntilSettled(page)
}

/** Waits until the page is reading nothing, and shows no answer to an earlier question. */
export const waitUntilSettled = (page: Page) =>
  expect(page.locator('[aria-busy=true], .placeholder, .status:has-text("Reading")')).toHaveCount(0)

/** Returns the rows of a list without its sums. */
export const rowsOf = (page: Page) => page.locator('.rows tbody tr:not(.sums)')

/** Returns the card of a chart or a ranking. */
export const cardOf = (page: Page, title: string) =>
  page.locator('.card', { has: page.getByRole('heading', { name: title, exact: true }) })

export const showAsTable = async (page: Page, title: string): Promise<void> => {
  await page.getByRole('button', { name: `More about ${title}`, exact: true }).click()
  await page.getByRole('button', { name: `${title} as a table` }).click()
}

/** Returns the field of the search. */
export const searchField = (page: Page) => page.getByRole('combobox', { name: 'Name, email or any id' })

/** Returns the customers that the search has found. */
export const searchResults = (page: Page) => page.getByRole('listbox').getByRole('option')

/** Opens the menu of the application, which has the time zones and the sign-out. */
export const openMenu = (page: Page): Promise<void> => page.locator('.application').click()

export const signOut = async (page: Page): Promise<void> => {
  await openMenu(page)
  await page.getByRole('button', { name: 'Sign out' }).click()
}
