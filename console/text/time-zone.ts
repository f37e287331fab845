/** Time zones by their names in the IANA database, such as `Europe/Berlin`. */

export const UTC = 'UTC'

export const isTimeZone = (text: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return true
  } catch {
    return false
  }
}

/** The title of a column of dates or months, followed by their time zone in parentheses unless it is UTC. */
export const titleWithTimeZone = (title: string, timeZone: string): string =>
  timeZone === UTC ? title : `${title} (${timeZone})`
