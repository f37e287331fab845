import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { interleaved, median } from '../../bench/interleave.ts'
import { judged, table } from '../../bench/rows.ts'

const row = { id: 'P5', what: 'warm processor time', unit: 'µs' }

describe('the verdict of a measure', () => {
  it.each([
    ['stretch', { ours: 105, baseline: 100, goal: { most: 1.25 }, stretch: { most: 1.1 } }],
    ['goal', { ours: 120, baseline: 100, goal: { most: 1.25 }, stretch: { most: 1.1 } }],
    ['missed', { ours: 126, baseline: 100, goal: { most: 1.25 }, stretch: { most: 1.1 } }],
    ['goal', { ours: 70, baseline: 100, goal: { least: 0.6 }, stretch: { least: 0.8 } }],
    ['missed', { ours: 59, baseline: 100, goal: { least: 0.6 } }],
    ['goal', { ours: 0, goal: { most: 0 } }],
    ['missed', { ours: 1, goal: { most: 0 } }],
    ['', { ours: 1 }],
    ['', { goal: { most: 1 } }],
  ])('is "%s" for %j', (verdict, figures) => {
    expect(judged({ ...row, ...figures }).verdict).toBe(verdict)
  })

  it('stands in an aligned table', () => {
    const rows = [
      judged({ ...row, ours: 1234.5, baseline: 1000, goal: { most: 1.25 } }),
      judged({ ...row, ours: 1 }),
    ]
    const lines = table(rows).split('\n')
    expect(new Set(lines.map((line) => line.length)).size).toBe(1)
    expect(lines[2]).toMatch(/\| P5 .*1,235 \|\s+1,000 \|\s+1\.23× \|\s+≤ 1\.25× \|\s+– \| goal/)
  })
})

describe('samples taken in turn', () => {
  it('have a median', () => {
    expect([median([3, 1, 2]), median([4, 1, 3, 2])]).toEqual([2, 2.5])
  })

  it('are taken forwards and backwards, the first round not counted', async () => {
    const order: string[] = []
    let value = 0
    const sample = (name: string) => async () => {
      order.push(name)
      value += 1
      return value
    }
    const runs = { rounds: 2, progress: () => undefined }
    const medians = await interleaved({ a: sample('a'), b: sample('b') }, runs)
    expect(order.join('')).toBe('abbaab')
    expect(medians).toEqual({ a: median([4, 5]), b: median([3, 6]) })
  })
})

it('the tables of limits to growth are those that bench:scaling prints', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['bench/scaling.ts'])
  const tables = stdout.match(/(?:^\|.*\|\n)+/gm) ?? []
  expect(tables).toHaveLength(3)
  for (const each of tables) expect(readFileSync('docs/performance.md', 'utf8')).toContain(each)
})
