import type { DatabaseSync } from 'node:sqlite'
import type { Row } from '../../row.ts'
import { skippedRow } from './conditions.ts'
import { entityRow } from './entity-row.ts'
import { requireKnownColumns, requireUsedOptions } from './header-problems.ts'
import { periodEndsCheck } from './period-ends.ts'
import { recordStore } from './record-store.ts'
import { type CsvOptions, openSheet, type Sheet, type SheetInput } from './sheet.ts'
import { requireOwners, storeRecords } from './store-records.ts'

/** Opens files in order, and adds them to `opened`. Throws UsageError for wrong headers and unused options. */
const openSheets = async (
  inputs: readonly SheetInput[],
  options: CsvOptions,
  opened: Sheet[],
): Promise<void> => {
  const utcNotice = { isShown: false }
  for (const [index, input] of inputs.entries())
    opened.push(await openSheet(input, index, options, utcNotice))
  requireKnownColumns(opened)
  requireUsedOptions(options.columns, opened)
}

/**
 * Yields the rows of CSV files, each of which is read once. The number of a row is its line in the file. Throws UsageError for a
 * file that is not named after a resource, for wrong or unused options, for unknown columns, and for a part of an entity that no
 * file contains, and CommandError for a period whose end may be inclusive.
 */
export async function* readCsvRows(
  inputs: readonly SheetInput[],
  options: CsvOptions,
  database: DatabaseSync,
): AsyncGenerator<Row> {
  const store = recordStore(database)
  const sheets: Sheet[] = []
  try {
    await openSheets(inputs, options, sheets)
    for (const sheet of sheets) yield* storeRecords(sheet, store)
    const entitySheets = sheets.filter(({ sheetType }) => sheetType.owner === undefined)
    const partSheets = Map.groupBy(
      sheets.filter(({ sheetType }) => sheetType.owner !== undefined),
      ({ sheetType }) => sheetType.resource,
    )
    for (const [resource, parts] of partSheets) {
      const owners = entitySheets.filter(({ sheetType }) => sheetType.resource === resource)
      for (const sheet of parts) requireOwners(sheet, owners, store)
    }
    const { ends, zone } = options.notation
    const check = periodEndsCheck({ ends, zone, store })
    for (const sheet of entitySheets)
      for (const records of store.groupsOf(sheet.index))
        yield skippedRow(sheet, records) ?? entityRow(sheet, records, { store, partSheets, check })
    check.requireFit()
  } finally {
    for (const { records } of sheets) await records.return(undefined)
  }
}
