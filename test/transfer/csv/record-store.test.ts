import { recordStore } from '../../../tools/transfer/formats/csv/record-store.ts'
import { openRunDatabase } from '../../../tools/transfer/run-database.ts'
import { range } from '../../support/range.ts'

/**
 * Returns the processor time, in milliseconds, in which the records of each of `count` ids are found: the least of three runs.
 */
const lookUpTime = async (count: number): Promise<number> => {
  const database = await openRunDatabase()
  const store = recordStore(database)
  const ids = range(count).map((number) => `id ${number}`)
  for (const [index, id] of ids.entries()) store.add(0, id, { line: index + 2, cells: [], problem: null })
  const times = range(3).map(() => {
    const start = process.cpuUsage()
    const found = ids.flatMap((id) => store.recordsWith(0, id))
    const { user, system } = process.cpuUsage(start)
    expect(found).toHaveLength(count)
    return (user + system) / 1_000
  })
  database.close()
  return Math.min(...times)
}

it('finds the records of an id without reading the whole file', async () => {
  const time = await lookUpTime(500)
  // Sixteen times as many ids take sixteen times as long, but 256 times if the whole file is read for each of them.
  expect(await lookUpTime(8_000)).toBeLessThan(time * 64)
})
