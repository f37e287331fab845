/** The business does badly in this quarter of its second year. Months are counted from January 1970. */
export const badQuarterOf = (firstMonth: number): number => {
  const month = firstMonth + 21
  return month - (month % 3)
}
