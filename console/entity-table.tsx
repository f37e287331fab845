import { linkTo } from './address.ts'
import type { Entity } from './api.ts'
import { kindOf, type Resource } from './contract.ts'
import { beginning, words } from './format.ts'
import { Value } from './value.tsx'
import './entity-table.css'

const MOST = 60
const isNumeric = (kind: string): boolean => kind === 'money' || kind === 'number'

/** Returns the columns of a list: what the entities have, but neither an embedded entity's id beside it nor two ids. */
const columnsOf = (resource: Resource, entities: readonly Entity[]): string[] => {
  const hasAmounts = Object.values(resource.fields).some((field) => kindOf(field) === 'money')
  const present = new Set(entities.flatMap(Object.keys))
  return [...present].filter((name) => {
    if (name === 'id' || name === 'external_id') return false
    // Amounts show it.
    if (name === 'currency' && hasAmounts) return false
    return !name.endsWith('_id') || !present.has(name.slice(0, -'_id'.length)) || !(name in resource.fields)
  })
}

interface EntityTableProps {
  readonly resource: Resource
  readonly entities: readonly Entity[]
  /** What the table holds, for those who do not see it. */
  readonly caption: string
}

/** A table of entities, each of which leads to its own page. */
export const EntityTable = ({ resource, entities, caption }: EntityTableProps) => {
  const columns = columnsOf(resource, entities)
  const schemaOf = (column: string) =>
    resource.fields[column] ?? { type: 'integer', description: 'Seconds since the epoch' }
  const classOf = (column: string) =>
    isNumeric(kindOf(schemaOf(column))) ? 'number' : kindOf(schemaOf(column))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled with the keyboard too
    <section class="scroll" tabIndex={0} aria-label={caption}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Id</th>
            {columns.map((column) => (
              <th key={column} scope="col" class={classOf(column)}>
                {words(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entities.map((entity) => (
            <tr key={entity.id}>
              <th scope="row">
                <a href={linkTo([resource.plural, entity.id])} title={entity.id}>
                  <bdi>{beginning(String(entity.external_id ?? entity.id), MOST)}</bdi>
                </a>
              </th>
              {columns.map((column) => (
                <td key={column} class={classOf(column)}>
                  <Value
                    value={entity[column]}
                    schema={schemaOf(column)}
                    currency={entity.currency as string | null}
                    most={MOST}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
