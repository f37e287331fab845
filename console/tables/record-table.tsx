import { linkTo } from '../frame/address.ts'
import { type FieldSchemas, kindOf } from '../frame/contract.ts'
import type { RecordedEntity } from '../records/entities.ts'
import { beginning, plainName } from '../text/format.ts'
import { FieldValue } from './field-value.tsx'
import { Table, type TableColumn } from './table.tsx'

const MAX_CHARACTERS = 60

/** The names of fields without the ids of entities that are embedded, such as `customer_id` beside `customer`. */
export const withoutEmbeddedIds = (names: readonly string[]): string[] =>
  names.filter((name) => !name.endsWith('_id') || !names.includes(name.slice(0, -'_id'.length)))

const columnNames = (
  records: readonly RecordedEntity[],
  fields: FieldSchemas,
  omittedField: string | undefined,
) => {
  const hasValue = (name: string) => records.some((record) => record[name] !== null)
  const names = withoutEmbeddedIds([...new Set(records.flatMap(Object.keys))]).filter(hasValue)
  const hasAmounts = names.some((name) => kindOf(fields[name] ?? {}) === 'money')
  // Amounts are shown with their currency.
  const omitted = ['id', 'external_id', omittedField, hasAmounts ? 'currency' : undefined]
  return names.filter((name) => !omitted.includes(name))
}

interface RecordTableProps {
  readonly label: string
  readonly fields: FieldSchemas
  readonly records: readonly RecordedEntity[]
  /** The list of the records, if each has a page of its own. */
  readonly plural?: string
  /** The field that gets no column, since all records have the same value. */
  readonly omittedField?: string | undefined
}

/** A table of entities or of line items, without empty columns and without columns that repeat others. */
export const RecordTable = ({ label, fields, records, plural, omittedField }: RecordTableProps) => {
  if (records.length === 0) return <p class="empty">There are none.</p>
  const id: TableColumn<RecordedEntity> = {
    key: 'id',
    title: 'Id',
    phone: 'name',
    cell: (record) => <bdi>{beginning(String(record.external_id ?? record.id), MAX_CHARACTERS)}</bdi>,
  }
  const others = columnNames(records, fields, omittedField).map((name): TableColumn<RecordedEntity> => {
    const schema = fields[name]
    const kind = kindOf(schema ?? {})
    return {
      key: name,
      title: plainName(name),
      isNumber: kind === 'money' || kind === 'number',
      cell: (record) => (
        <FieldValue
          value={record[name]}
          schema={schema}
          currency={record.currency}
          maxCharacters={MAX_CHARACTERS}
        />
      ),
    }
  })
  return (
    <Table
      label={label}
      columns={[id, ...others]}
      rows={records}
      hrefOf={plural === undefined ? undefined : (record) => linkTo([plural, record.id])}
    />
  )
}
