import { progress, type Screen } from '../../cli/progress.ts'
import { type ImportCounts, outcomes, refusedRows, sentRows } from '../counts.ts'
import type { Format } from '../formats/source.ts'
import type { ReportedRow } from '../row.ts'

const MAX_SHOWN_REFUSALS = 10

const number = (value: number): string => Math.round(value).toLocaleString('en')

const duration = (seconds: number): string => {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  return seconds < 5_400 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`
}

const outcomesIn = (counts: ImportCounts): string[] =>
  (['resumed', ...outcomes] as const)
    .filter((name) => counts[name] > 0)
    .map((name) => `${number(counts[name])} ${name}`)

const progressLine = (counts: ImportCounts): string => {
  const { rows, seconds, resumed } = counts
  if (seconds === 0) return `${number(rows)} rows read`
  const sent = sentRows(counts)
  const rate = sent / seconds
  const left = rows - sent - resumed
  const timeLeft = left > 0 && rate > 0 ? [`${duration(left / rate)} left`] : []
  const done = `${number(rows - left)} of ${number(rows)} rows`
  return [done, `${number(rate)}/s`, ...timeLeft, ...outcomesIn(counts)].join(', ')
}

const sentenceOf = (counts: ImportCounts, isDryRun: boolean): string => {
  const { rows, seconds } = counts
  if (rows === 0) return 'The files have no rows to record.'
  const refused = refusedRows(counts)
  const [all, some] = isDryRun
    ? ['Would record all rows', 'Would not record']
    : ['Rows recorded: all', 'Rows not recorded:']
  const result = refused === 0 ? `${all} ${number(rows)}` : `${some} ${number(refused)} of ${number(rows)}`
  const unknown = counts.unknown > 0 ? ' The outcome of unknown rows is not known before they are sent.' : ''
  const prefix = isDryRun ? 'This was a dry run. ' : ''
  return `${prefix}${result} (${outcomesIn(counts).join(', ')}), in ${duration(seconds)}.${unknown}`
}

/** Shows the progress of an import, the reasons for rows that are not sent, and the first refused rows. */
export const importProgress = (screen: Screen, format: Format | undefined) => {
  const { show, line, end } = progress(screen)
  let refusals = 0
  /** Shows the number of rows for each reason why something was done with them. */
  const showReasons = (done: string, reasons: Readonly<Record<string, number>>): void => {
    for (const [reason, count] of Object.entries(reasons)) line(`${number(count)} ${done}: ${reason}`)
  }
  return {
    showReasons,
    /** Shows how many rows will not be sent, or not as they are, by reason, once all rows are counted. */
    showUnsent: ({ skipped, unusable, left_out, from_lines }: ImportCounts): void => {
      showReasons('skipped', skipped)
      showReasons('unusable', unusable)
      showReasons('left out', left_out)
      for (const [field, count] of Object.entries(from_lines))
        line(`${field}: from the lines, ${number(count)} ${count === 1 ? 'row' : 'rows'}`)
    },
    showRead: line,
    /** Shows the counts so far, unless they were shown too recently. */
    showCounts: (counts: ImportCounts): void => show(() => progressLine(counts)),
    /** Shows one of the first rows that end as `conflict`, `invalid` or `failed`. */
    showRefused: ({ file, row, type, id, outcome, errors }: ReportedRow): void => {
      refusals += 1
      if (refusals > MAX_SHOWN_REFUSALS) return
      const unit = format === 'stripe' ? 'object' : 'line'
      const entity = [type, id].filter((part) => part !== null).join(' ')
      const place = `${file}, ${unit} ${row}`
      line(`${entity ? `${place} (${entity})` : place}: ${outcome}. ${errors.join(' ')}`)
      if (refusals === MAX_SHOWN_REFUSALS)
        line('Further rows are not shown; --report FILE lists all of them.')
    },
    showResult: (counts: ImportCounts, isDryRun: boolean): void => line(sentenceOf(counts, isDryRun)),
    end,
  }
}

/** The progress of an import, as it is shown. */
export type ImportProgress = ReturnType<typeof importProgress>
