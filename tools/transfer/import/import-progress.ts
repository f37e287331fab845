import { progress, type Screen } from '../../cli/progress.ts'
import { type ImportCounts, outcomes, sentRows } from '../counts.ts'
import type { Format } from '../formats/source.ts'
import type { ReportedRow } from '../row.ts'

const MAX_SHOWN_REFUSALS = 10

const number = (value: number): string => Math.round(value).toLocaleString('en')

const duration = (seconds: number): string => {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  return seconds < 5_400 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`
}

const outcomesIn = (counts: ImportCounts): string[] =>
  (['resumed', ...outcomes] as const).flatMap((name) =>
    counts[name] > 0 ? [`${number(counts[name])} ${name}`] : [],
  )

const lineOf = (counts: ImportCounts): string => {
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
  const { rows, seconds, conflict, invalid, failed } = counts
  if (rows === 0) return 'The files have no rows to record.'
  const refused = conflict + invalid + failed
  const result =
    refused === 0
      ? `Rows recorded: all ${number(rows)}`
      : `Rows not recorded: ${number(refused)} of ${number(rows)}`
  const prefix = isDryRun ? 'This was a dry run. ' : ''
  return `${prefix}${result} (${outcomesIn(counts).join(', ')}), in ${duration(seconds)}.`
}

/** Shows the progress of an import, the reasons for rows that are not sent, and the first refused rows. */
export const importProgress = (screen: Screen, format: Format | undefined) => {
  const { tell, line, end } = progress(screen)
  let refusals = 0
  return {
    /** Shows how many rows will not be sent, by reason, once all rows are counted. */
    showUnsent: ({ skipped, skipped_sums, unusable, left_out }: ImportCounts): void => {
      for (const [what, reasons] of Object.entries({ skipped, unusable, 'left out': left_out }))
        for (const [reason, count] of Object.entries(reasons)) line(`${number(count)} ${what}: ${reason}`)
      for (const [reason, sums] of Object.entries(skipped_sums))
        for (const [currency, sum] of Object.entries(sums))
          line(`skipped in minor units of ${currency}: ${number(sum)} (${reason})`)
    },
    showRead: line,
    /** Shows the counts so far, unless they were shown too recently. */
    showCounts: (counts: ImportCounts): void => tell(() => lineOf(counts)),
    /** Shows one of the first rows that end as `conflict`, `invalid` or `failed`. */
    showRefused: ({ file, row, type, id, outcome, errors }: ReportedRow): void => {
      refusals += 1
      if (refusals > MAX_SHOWN_REFUSALS) return
      const what = [type, id].filter((each) => each !== null).join(' ')
      line(
        `${file}, ${format === 'stripe' ? 'object' : 'line'} ${row}${what ? ` (${what})` : ''}: ${outcome}. ${errors.join(' ')}`,
      )
      if (refusals === MAX_SHOWN_REFUSALS)
        line('Further rows are not shown; --report FILE lists all of them.')
    },
    showResult: (counts: ImportCounts, isDryRun: boolean): void => line(sentenceOf(counts, isDryRun)),
    end,
  }
}

/** The progress of an import, as it is shown. */
export type ImportProgress = ReturnType<typeof importProgress>
