import { type Download, expect } from '@playwright/test'

/** Returns the lines of a CSV file. */
export const csvLines = async (download: Download): Promise<string[]> => {
  const stream = (await download.createReadStream()).setEncoding('utf8')
  const text = (await Array.fromAsync(stream)).join('')
  // Excel needs the byte order mark.
  expect(text).toMatch(/^\u{FEFF}/u)
  return text.trim().split('\r\n')
}
