import { printable } from '../../cli/printable.ts'
import { progressDisplay, type Screen } from '../../cli/progress.ts'
import type { Format } from '../formats/read-rows.ts'
import { idOf, isRecorded, isRefused, type Outcome, outcomes, type Result, type Row } from '../row.ts'

/** The counts that docs/data.md describes. */
export const newCounts = () => ({
  rows: 0,
  /** They have no outcome. */
  resumed: 0,
  ...(Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Record<Outcome, number>),
  skipped: {} as Record<string, number>,
  /** Their outcome is `invalid`. */
  unusable: {} as Record<string, number>,
  left_out: {} as Record<string, number>,
  from_lines: {} as Record<string, number>,
  unequal_totals: 0,
  /** The time since the first row was sent, in seconds, rounded to tenths; 0 while files are being read. */
  seconds: 0,
})

/** The counts of an import, so far or at its end. */
export type ImportCounts = ReturnType<typeof newCounts>

const MAX_REASONS = 50

/** Makes the reason printable, because it may quote a file. */
export const countReason = (counts: Record<string, number>, reason: string): void => {
  const text = printable(reason)
  const isNew = !Object.hasOwn(counts, text)
  const name = isNew && Object.keys(counts).length >= MAX_REASONS ? 'other reasons' : text
  counts[name] = (counts[name] ?? 0) + 1
}

/** Counts a row that has been read. */
export const countRow = (
  counts: ImportCounts,
  { result, precondition, leftOut, derivedFields }: Row,
): void => {
  const [reason = ''] = result?.errors ?? []
  if (result?.outcome === 'skipped') {
    countReason(counts.skipped, reason)
    return
  }
  counts.rows += 1
  // Until the row is sent, it is not known whether its precondition holds.
  if (result && !precondition) countReason(counts.unusable, reason)
  for (const content of leftOut ?? []) countReason(counts.left_out, content)
  for (const field of derivedFields ?? []) countReason(counts.from_lines, field)
}

const rowsWith = (counts: ImportCounts, isWanted: (outcome: Outcome) => boolean): number =>
  outcomes.filter(isWanted).reduce((sum, outcome) => sum + counts[outcome], 0)

/** The number of rows that were certainly not recorded. */
export const refusedRows = (counts: ImportCounts): number => rowsWith(counts, isRefused)

const MAX_SHOWN_REFUSALS = 10

const integer = (value: number): string => Math.round(value).toLocaleString('en')

const duration = (seconds: number): string => {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  return seconds < 5_400 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`
}

const outcomeCounts = (counts: ImportCounts): string[] =>
  (['resumed', ...outcomes] as const)
    .filter((name) => counts[name] > 0)
    .map((name) => `${integer(counts[name])} ${name}`)

const progressLine = (counts: ImportCounts): string => {
  const { rows, seconds, resumed } = counts
  if (seconds === 0) return `${integer(rows)} rows read`
  const sent = rowsWith(counts, () => true)
  const rate = sent / seconds
  const remaining = rows - sent - resumed
  const timeLeft = remaining > 0 && rate > 0 ? [`${duration(remaining / rate)} left`] : []
  const done = `${integer(rows - remaining)} of ${integer(rows)} rows`
  return [done, `${integer(rate)}/s`, ...timeLeft, ...outcomeCounts(counts)].join(', ')
}

const summary = (counts: ImportCounts, isDryRun: boolean): string => {
  if (counts.rows === 0) return 'The files have no rows to record.'
  const recorded = `${integer(counts.resumed + rowsWith(counts, isRecorded))} of ${integer(counts.rows)} rows`
  const result = isDryRun ? `This was a dry run. Would record ${recorded}` : `Recorded ${recorded}`
  const sentence = `${result} (${outcomeCounts(counts).join(', ')}), in ${duration(counts.seconds)}.`
  const notices = [sentence]
  if (counts.unknown > 0) notices.push('The outcome of unknown rows is not known before they are sent.')
  if (counts.unequal_totals > 0)
    notices.push(
      `Invoices whose line items do not add up to the total, with their taxes or without: ${integer(counts.unequal_totals)}.`,
    )
  return notices.join(' ')
}

/** Shows the progress of an import, the reasons for rows that are not sent, and the first refused rows. */
export const importProgress = (screen: Screen, format: Format | undefined) => {
  const { show, line, end } = progressDisplay(screen)
  let refusals = 0
  const showReasons = (treatment: string, counts: Readonly<Record<string, number>>): void => {
    for (const [reason, count] of Object.entries(counts)) line(`${integer(count)} ${treatment}: ${reason}`)
  }
  return {
    /** Shows how many rows were skipped when they would have been sent, by reason. */
    showSkipped: (counts: Readonly<Record<string, number>>): void => showReasons('skipped', counts),
    /** Shows how many rows will not be sent, or will be sent with other content than in their file, by reason. */
    showPrepared: ({ skipped, unusable, left_out, from_lines }: ImportCounts): void => {
      showReasons('skipped', skipped)
      showReasons('unusable', unusable)
      showReasons('left out', left_out)
      for (const [field, count] of Object.entries(from_lines))
        line(`${field}: derived from the line items in ${integer(count)} row${count === 1 ? '' : 's'}`)
    },
    showConversion: line,
    /** Unless they were shown too recently. */
    showCounts: (counts: ImportCounts): void => show(() => progressLine(counts)),
    /** If it is one of the first ten. */
    showRefused: (refused: Row, { outcome, errors }: Result): void => {
      refusals += 1
      if (refusals > MAX_SHOWN_REFUSALS) return
      const { file, row, type } = refused
      const unit = format === 'stripe' ? 'object' : 'line'
      const entity = [type, idOf(refused)].filter((part) => part !== null).join(' ')
      const place = `${file}, ${unit} ${row}`
      line(`${entity ? `${place} (${entity})` : place}: ${outcome}. ${errors.join(' ')}`)
      if (refusals === MAX_SHOWN_REFUSALS)
        line('Further refused rows are not shown; --report FILE lists all of them.')
    },
    showSummary: (counts: ImportCounts, isDryRun: boolean): void => line(summary(counts, isDryRun)),
    end,
  }
}

export type ImportProgress = ReturnType<typeof importProgress>
