/**
 * Returns the first month of the calendar quarter in which the business does badly, in its second year. Months are counted from
 * January 1970.
 */
export const badQuarterOf = (firstMonth: number): number => {
  const month = firstMonth + 21
  return month - (month % 3)
}
