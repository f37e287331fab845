import { expect, type Locator, type Page } from '@playwright/test'

/** Clicks a button that saves a CSV file. Returns the lines of the file. */
export const saveCsv = async (page: Page, button: Locator): Promise<string[]> => {
  const downloading = page.waitForEvent('download')
  await button.click()
  const download = await downloading
  const stream = (await download.createReadStream()).setEncoding('utf8')
  const text = (await Array.fromAsync(stream)).join('')
  // Excel needs the byte order mark.
  expect(text).toMatch(/^\u{FEFF}/u)
  return text.trim().split('\r\n')
}
