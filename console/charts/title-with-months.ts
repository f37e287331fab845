/** Returns the title of a card about a number of months; undefined is all months. */
export const titleWithMonths = (subject: string, months: number | undefined): string =>
  `${subject}, ${months ?? 'all'} months`
