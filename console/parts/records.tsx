import type { ComponentChildren } from 'preact'
import { singleQuoted } from '../../shared/text/shell.ts'
import { linkTo } from '../frame/address.ts'
import { type Fields, kindOf, type Schema } from '../frame/contract.ts'
import { useSession } from '../frame/session.ts'
import type { Entity } from '../records/entities.ts'
import { beginning, money, number, plainName, time } from '../text/format.ts'
import './records.css'

/** Returns what people call an entity: its name or their own id, or else the service's id. */
export const labelOf = ({ id, name, title, external_id }: Entity): string =>
  String(name ?? title ?? external_id ?? id)

const EntityLink = ({ entity }: { readonly entity: Entity }) => {
  const { resources } = useSession()
  const resource = resources.find(({ idPattern }) => idPattern.test(entity.id))
  const label = labelOf(entity)
  const shown = label === entity.id ? <code>{label}</code> : <bdi>{beginning(label, 80)}</bdi>
  return resource ? <a href={linkTo([resource.plural, entity.id])}>{shown}</a> : shown
}

interface ValueProps {
  readonly value: unknown
  readonly schema: Schema | undefined
  readonly currency: unknown
  /** The most characters of a text to show; the JSON of a record has all. */
  readonly max?: number
}

/** A field's value as people read it: amounts with their currency, times in UTC, ids and entities as links. */
export const Value = ({ value, schema = {}, currency, max = 500 }: ValueProps) => {
  const { resources } = useSession()
  if (value === null || value === undefined || value === '') return <span class="quiet">–</span>
  if (Array.isArray(value)) {
    const { pattern } = schema.items?.properties?.id ?? {}
    const areEntities = resources.some(({ fields }) => fields.id?.pattern === pattern)
    if (!areEntities) return <>{number(value.length)}</>
    if (value.length === 0) return <span class="quiet">none</span>
    return value.map((entity, index) => [index > 0 && ', ', <EntityLink key={entity.id} entity={entity} />])
  }
  if (schema.properties?.id) return <EntityLink entity={value as Entity} />
  if (typeof value === 'object') return <code>{beginning(JSON.stringify(value), max)}</code>
  if (typeof value === 'boolean') return <>{value ? 'yes' : 'no'}</>
  if (typeof value === 'number') {
    const kind = kindOf(schema)
    if (kind === 'money') return <>{money(value, currency as string | null)}</>
    return <>{kind === 'time' ? time(value) : number(value)}</>
  }
  const text = String(value)
  const isId = resources.some(({ idPattern }) => idPattern.test(text))
  return isId ? <EntityLink entity={{ id: text }} /> : <bdi>{beginning(text, max)}</bdi>
}

interface TableProps {
  readonly label: string
  readonly columns: readonly string[]
  /** Whether a column has numbers. By default all but the first have. */
  readonly isNumber?: (column: number) => boolean
  /** The cells of each row, the first of which is its heading. */
  readonly rows: readonly (readonly ComponentChildren[])[]
}

/** A table that is scrolled, also with the keyboard, where it does not fit. */
export const Table = ({ label, columns, rows, isNumber = (column) => column > 0 }: TableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls what has the focus
  <section class="scroll" tabIndex={0} aria-label={label}>
    <table>
      <thead>
        <tr>
          {columns.map((title, column) => (
            <th key={title} scope="col" class={isNumber(column) ? 'number' : ''}>
              <bdi>{beginning(title, 30)}</bdi>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([heading, ...cells], row) => (
          <tr key={row}>
            <th scope="row">{heading}</th>
            {cells.map((cell, index) => (
              <td key={index} class={isNumber(index + 1) ? 'number' : ''}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)

const MAX_CHARACTERS = 60

interface RecordTableProps {
  readonly label: string
  readonly fields: Fields
  readonly records: readonly Entity[]
  /** The list of the records if each has a page of its own. */
  readonly plural?: string
  readonly without?: string | undefined
}

/** Returns the names of fields without the ids of entities that are embedded. */
export const withoutEmbeddedIds = (names: readonly string[]): string[] =>
  names.filter((name) => !name.endsWith('_id') || !names.includes(name.slice(0, -'_id'.length)))

/** A table of entities or of lines, without the columns that are empty or that others show. */
export const RecordTable = ({ label, fields, records, plural, without }: RecordTableProps) => {
  if (records.length === 0) return <p class="empty">There are none.</p>
  const isFilled = (name: string) => records.some((record) => record[name] !== null)
  const filled = withoutEmbeddedIds([...new Set(records.flatMap(Object.keys))]).filter(isFilled)
  const kindOfField = (name: string) => kindOf(fields[name] ?? {})
  // Amounts show their currency.
  const currencyColumn = filled.map(kindOfField).includes('money') ? 'currency' : undefined
  const names = filled.filter((name) => !['id', 'external_id', without, currencyColumn].includes(name))
  const isNumber = (column: number) => /money|number/.test(kindOfField(names[column - 1] ?? 'id'))
  const rows = records.map((record) => {
    const id = <bdi>{beginning(String(record.external_id ?? record.id), MAX_CHARACTERS)}</bdi>
    const link = plural && linkTo([plural, record.id])
    const cells = names.map((name) => (
      <Value
        key={name}
        value={record[name]}
        schema={fields[name]}
        currency={record.currency}
        max={MAX_CHARACTERS}
      />
    ))
    return [link ? <a href={link}>{id}</a> : id, ...cells]
  })
  return <Table label={label} columns={['Id', ...names.map(plainName)]} rows={rows} isNumber={isNumber} />
}

/** A text as it is, which is scrolled, also with the keyboard, where it does not fit. */
export const Preformatted = ({ text }: { readonly text: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls what has the focus
  <pre class="scroll" tabIndex={0}>
    {text}
  </pre>
)

interface SourceProps {
  /** The path and query of a request, after `/api`. */
  readonly path: string
  readonly data: unknown
}

/**
 * `data` as the API returns it, and a curl command for the same data. The command refers to the credentials by variables and
 * does not contain them.
 */
export const Source = ({ path, data }: SourceProps) => {
  const { baseUrl } = useSession()
  const url = singleQuoted(`${baseUrl}/api${path}`)
  const texts = {
    JSON: JSON.stringify(data, null, 2),
    'curl, with your key in API_KEY and the application id in APP_ID': `curl ${url} -H "Authorization: Bearer $API_KEY" -H "x-app-id: $APP_ID"`,
  }
  return (
    <>
      {Object.entries(texts).map(([title, text]) => (
        <details key={title}>
          <summary>{title}</summary>
          <Preformatted text={text} />
        </details>
      ))}
    </>
  )
}
