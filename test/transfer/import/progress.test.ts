import { countReason, importProgress, newCounts } from '../../../tools/transfer/import/import-progress.ts'
import { invalid } from '../../../tools/transfer/row.ts'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

/**
 * Returns the texts that an import writes in which 100 rows are created in each period, and then 12 are refused. `period` is the
 * time between two texts, in milliseconds.
 */
const writtenTexts = (isTTY: boolean, period: number): string[] => {
  const texts: string[] = []
  const progress = importProgress({ isTTY, write: (text) => void texts.push(text) }, undefined)
  const counts = newCounts()
  const showAfter = (millis: number): void => {
    jest.advanceTimersByTime(millis)
    progress.showCounts(counts)
  }
  counts.rows = 12_345
  showAfter(period)
  countReason(counts.skipped, 'invoice: void')
  progress.showPrepared(counts)
  counts.resumed = 2_345
  for (let periods = 0; periods < 2; periods += 1) {
    showAfter(period - 1)
    counts.created += 100
    counts.seconds += period / 1_000
    showAfter(1)
  }
  const row = { file: 'a.csv', row: 7, type: 'price', data: { id: '\u001Bp\u202E\u2028' } }
  for (let refusals = 0; refusals < 12; refusals += 1) {
    counts.invalid += 1
    progress.showRefused(row, invalid('price must be an integer.'))
  }
  progress.showSummary(counts, false)
  return texts
}

const refused = 'a.csv, line 7 (price \uFFFDp\uFFFD\uFFFD): invalid. price must be an integer.\n'
const refusals = [
  ...Array.from({ length: 10 }, () => refused),
  'Further refused rows are not shown; --report FILE lists all of them.\n',
]
const CLEAR_LINE = '\r\u001B[K'

describe('the progress of an import', () => {
  it('overwrites one line on a terminal five times a second: rows, rate, time left, outcomes', () =>
    expect(writtenTexts(true, 200)).toEqual([
      '12,345 rows read',
      CLEAR_LINE,
      '1 skipped: invoice: void\n',
      '2,445 of 12,345 rows, 500/s, 20 s left, 2,345 resumed, 100 created',
      CLEAR_LINE,
      '2,545 of 12,345 rows, 500/s, 20 s left, 2,345 resumed, 200 created',
      CLEAR_LINE,
      ...refusals,
      'Recorded 2,545 of 12,345 rows (2,345 resumed, 200 created, 12 invalid), in 1 s.\n',
    ]))

  it('writes a plain line every five seconds if it is not on a terminal', () =>
    expect(writtenTexts(false, 5_000)).toEqual([
      '12,345 rows read\n',
      '1 skipped: invoice: void\n',
      '2,445 of 12,345 rows, 20/s, 9 min left, 2,345 resumed, 100 created\n',
      '2,545 of 12,345 rows, 20/s, 9 min left, 2,345 resumed, 200 created\n',
      ...refusals,
      'Recorded 2,545 of 12,345 rows (2,345 resumed, 200 created, 12 invalid), in 10 s.\n',
    ]))
})
