import { CommandError } from '../../../cli/command.ts'
import type { RecordValues } from './cells.ts'
import { mapOption } from './column-options.ts'
import { headerOf } from './columns.ts'
import type { Sheet } from './sheet.ts'

type RecurrenceField = 'type' | 'interval'

const needs: Readonly<Record<RecurrenceField, string>> = {
  type: 'the type recurring',
  interval: 'an interval',
}

/** What the user can do about a line item that has only one of the two fields, in sentences. */
const adviceFor = (given: RecurrenceField, lacking: RecurrenceField, sheet: Sheet): string => {
  const { sheetType, partColumns } = sheet
  const columnOf = (name: string) => partColumns.find(({ field }) => field === name)
  const column = columnOf(given)
  const fillIn = `Fill in its ${lacking}.`
  if (!column) return fillIn
  const isOption = 'constant' in column.source
  const option = `--set ${sheetType.name}:${column.name.replace(given, lacking)}`
  const add =
    lacking === 'type'
      ? `If all are recurring, add ${option}=recurring.`
      : `If all are monthly, add ${option}=month ${option}_count=1.`
  const fillInOrReplace =
    isOption && given === 'type'
      ? `${fillIn} If others recur and it does not, replace the option by a column with the type of each line item.`
      : fillIn
  const advice = columnOf(lacking) ? fillInOrReplace : add
  if (isOption) return advice
  return `${advice} ${mapOption(sheetType.name, headerOf(column))} leaves out the column.`
}

/**
 * Throws CommandError for a recurring line item without an interval, and for a line item with an interval but no type: no figure
 * would count it as recurring. A line item with a price and a period of its own is accepted, because it has the interval of its
 * price. `place` is where a line item in JSON stands.
 */
export const requireInterval = ({ values, cells }: RecordValues, place: string, sheet: Sheet): void => {
  const { type, interval, price_id, period_start, period_end } = values
  if (price_id !== undefined && period_start !== undefined && period_end !== undefined) return
  const refuse = (given: RecurrenceField, lacking: RecurrenceField): never => {
    throw new CommandError(
      `${cells[given]?.place ?? place}: ${given} "${values[given]}" needs ${needs[lacking]}, without which no figure counts the line item as recurring. ${adviceFor(given, lacking, sheet)} Nothing is recorded`,
    )
  }
  if (type === 'recurring' && interval === undefined) refuse('type', 'interval')
  if (type === undefined && interval !== undefined) refuse('interval', 'type')
}
