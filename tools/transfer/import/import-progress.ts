import { progressDisplay, type Screen } from '../../cli/progress.ts'
import type { Format } from '../formats/read-drafts.ts'
import { type ImportCounts, recordedRows, sentRows } from './counts.ts'
import { outcomes, type ReportedRow } from './row-result.ts'

const MAX_SHOWN_REFUSALS = 10

const integer = (value: number): string => Math.round(value).toLocaleString('en')

const duration = (seconds: number): string => {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  return seconds < 5_400 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`
}

/** Returns the number of rows for each outcome that occurred, such as `12 created`. */
const outcomeCounts = (counts: ImportCounts): string[] =>
  (['resumed', ...outcomes] as const)
    .filter((name) => counts[name] > 0)
    .map((name) => `${integer(counts[name])} ${name}`)

const progressLine = (counts: ImportCounts): string => {
  const { rows, seconds, resumed } = counts
  if (seconds === 0) return `${integer(rows)} rows read`
  const sent = sentRows(counts)
  const rate = sent / seconds
  const remaining = rows - sent - resumed
  const timeLeft = remaining > 0 && rate > 0 ? [`${duration(remaining / rate)} left`] : []
  const done = `${integer(rows - remaining)} of ${integer(rows)} rows`
  return [done, `${integer(rate)}/s`, ...timeLeft, ...outcomeCounts(counts)].join(', ')
}

/** Returns what is shown at the end of an import. */
const summary = (counts: ImportCounts, isDryRun: boolean): string => {
  if (counts.rows === 0) return 'The files have no rows to record.'
  const recorded = `${integer(recordedRows(counts))} of ${integer(counts.rows)} rows`
  const result = isDryRun ? `This was a dry run. Would record ${recorded}` : `Recorded ${recorded}`
  const sentence = `${result} (${outcomeCounts(counts).join(', ')}), in ${duration(counts.seconds)}.`
  return counts.unknown > 0
    ? `${sentence} The outcome of unknown rows is not known before they are sent.`
    : sentence
}

const plural = (count: number, noun: string): string => `${integer(count)} ${noun}${count === 1 ? '' : 's'}`

/** Shows the progress of an import, the reasons for rows that are not sent, and the first refused rows. */
export const importProgress = (screen: Screen, format: Format | undefined) => {
  const { show, line, end } = progressDisplay(screen)
  let refusals = 0
  /** Shows how many rows were treated in some way, such as `skipped`, for each reason. */
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
        line(`${field}: derived from the line items in ${plural(count, 'row')}`)
    },
    /** Shows how a cell was read. */
    showConversion: line,
    /** Shows the counts so far, unless they were shown too recently. */
    showCounts: (counts: ImportCounts): void => show(() => progressLine(counts)),
    /** Shows a refused row, if it is one of the first ten. */
    showRefused: ({ file, row, type, id, outcome, errors }: ReportedRow): void => {
      refusals += 1
      if (refusals > MAX_SHOWN_REFUSALS) return
      const unit = format === 'stripe' ? 'object' : 'line'
      const entity = [type, id].filter((part) => part !== null).join(' ')
      const place = `${file}, ${unit} ${row}`
      line(`${entity ? `${place} (${entity})` : place}: ${outcome}. ${errors.join(' ')}`)
      if (refusals === MAX_SHOWN_REFUSALS)
        line('Further refused rows are not shown; --report FILE lists all of them.')
    },
    showSummary: (counts: ImportCounts, isDryRun: boolean): void => line(summary(counts, isDryRun)),
    end,
  }
}

/** Shows the progress of an import. */
export type ImportProgress = ReturnType<typeof importProgress>
