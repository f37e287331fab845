import { CommandError } from '../../../cli/command.ts'
import { headerOf, type RecordValues } from './cells.ts'
import { columnName } from './columns.ts'
import type { Sheet } from './sheet.ts'

/** What the user can do about a type without an interval, in sentences. */
const adviceFor = ({ names, sheetType, partColumns }: Sheet): string => {
  const type = partColumns.find(({ field }) => field === 'type')
  const hasIntervals = partColumns.some(({ field }) => field === 'interval')
  if (!type) return 'Fill in its interval.'
  const interval = `--set ${sheetType.name}:${columnName({ ...type, field: 'interval' })}`
  const advice = hasIntervals
    ? 'Fill in its interval.'
    : `If all are monthly, add ${interval}=month ${interval}_count=1.`
  if ('constant' in type.source) return advice
  return `${advice} --map "${sheetType.name}:${headerOf(type, { names })}=" leaves out the types.`
}

/**
 * Throws CommandError for a recurring line item without an interval: it would be recorded, but no figure would count it. One with a
 * period of its own can have the interval of its price. `place` is that of a line item in JSON.
 */
export const requireInterval = ({ values, cells }: RecordValues, place: string, sheet: Sheet): void => {
  const { type, interval, price_id, period_start, period_end } = values
  const mayHaveThatOfPrice = price_id !== undefined && period_start !== undefined && period_end !== undefined
  if (type !== 'recurring' || interval !== undefined || mayHaveThatOfPrice) return
  throw new CommandError(
    `${cells.type?.place ?? place}: type "recurring" needs an interval, without which no figure counts the line item as recurring. ${adviceFor(sheet)} Nothing is recorded`,
  )
}
