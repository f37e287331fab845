import { openRecordStore } from '../../../tools/transfer/formats/csv/record-store.ts'
import { range } from '../../support/range.ts'

/** Returns the shortest of three times, in milliseconds, in which the records of each of `count` ids are found. */
const lookUpTime = async (count: number): Promise<number> => {
  const store = await openRecordStore()
  const ids = range(count).map((number) => `id ${number}`)
  for (const [index, id] of ids.entries()) store.add(0, id, { line: index + 2, cells: [], problem: null })
  const times = range(3).map(() => {
    const start = performance.now()
    const found = ids.flatMap((id) => store.recordsWith(0, id))
    const time = performance.now() - start
    expect(found).toHaveLength(count)
    return time
  })
  store.close()
  return Math.min(...times)
}

it('finds the records of an id without reading the whole file', async () => {
  const time = await lookUpTime(1_000)
  // Proportional time is 4 times as long. Reading the whole file for each id takes 16 times as long.
  expect(await lookUpTime(4_000)).toBeLessThan(time * 8)
})
