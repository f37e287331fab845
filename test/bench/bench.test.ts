import { interleaved, median } from '../../bench/interleave.ts'
import { judged, table } from '../../bench/rows.ts'
import { taken } from '../../bench/scaling/partitions.ts'
import { pageCost } from '../../bench/scaling/shards.ts'
import { lookUps } from '../../bench/scaling/tenants.ts'

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

describe('the simulation of growth', () => {
  const after = (flow: Parameters<typeof taken>[0]) => taken(flow).at(-1)

  it('splits a hot list only where its keys are spread', () => {
    expect(after({ wanted: 5_000, keys: 'rising', seconds: 600 })).toBe(1_000)
    expect(after({ wanted: 5_000, keys: 'spread', seconds: 600 })).toBe(5_000)
    expect(after({ wanted: 500, keys: 'rising', seconds: 10 })).toBe(500)
  })

  it('reads a list of one shard with one query', () => {
    expect(pageCost(1, 100, 10)).toEqual({ queries: 1, rounds: 1, units: 4 })
    expect(pageCost(8, 100, 1_000).queries).toBeGreaterThanOrEqual(8)
  })

  it('looks a lone tenant up once a minute', () => {
    const one = { tenants: 1, perSecond: 10, seconds: 600, keptSeconds: 60, entries: 1_000 }
    expect(lookUps(one)).toBeCloseTo(10 / 6_000)
    expect(lookUps({ ...one, tenants: 100, entries: 1 })).toBeGreaterThan(0.5)
  })
})
