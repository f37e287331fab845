/** Returns the distinct texts, the most frequent first, and texts of the same frequency in alphabetical order. */
export const byFrequency = (texts: Iterable<string>): string[] => {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts]
    .sort(([a, countOfA], [b, countOfB]) => countOfB - countOfA || (a < b ? -1 : 1))
    .map(([text]) => text)
}
