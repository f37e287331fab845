/** Returns the text for a number of months; undefined is all months. */
export const monthsText = (months: number | undefined): string => `${months ?? 'all'} months`
