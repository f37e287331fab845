/** `width` at a time; the results are in the order of the values. */
export const inParallel = async <T, R>(
  values: readonly T[],
  work: (value: T, index: number) => Promise<R>,
  width = 25,
): Promise<R[]> => {
  const results: R[] = []
  for (let start = 0; start < values.length; start += width) {
    const group = values.slice(start, start + width)
    results.push(...(await Promise.all(group.map((value, index) => work(value, start + index)))))
  }
  return results
}
