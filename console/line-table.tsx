import type { Entity } from './api.ts'
import { kindOf, resolved, type Schema } from './contract.ts'
import { words } from './format.ts'
import { useSession } from './session.tsx'
import { Value } from './value.tsx'

/** A line of an invoice. */
export interface Line extends Entity {
  readonly amount: number | null
  readonly currency: string | null
  readonly price?: Entity | null
}

interface LineTableProps {
  readonly lines: readonly Line[]
  readonly schema: Schema
  /** The invoice's currency, for lines that name none. */
  readonly currency: string
}

/** The lines of an invoice, in their order. Fields that no line has are left out. */
export const LineTable = ({ lines, schema, currency }: LineTableProps) => {
  const { document } = useSession()
  const columns = Object.entries(schema.properties ?? {})
    .map(([name, field]) => ({ name, field: resolved(document, field) }))
    .filter(({ name }) => name !== 'currency' && lines.some((line) => line[name] != null))
  const classOf = (field: Schema) => (/money|number/.test(kindOf(field)) ? 'number' : '')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled with the keyboard too
    <section class="scroll" tabIndex={0} aria-label="Lines">
      <table>
        <thead>
          <tr>
            {columns.map(({ name, field }) => (
              <th key={name} scope="col" class={classOf(field)}>
                {name === 'id' ? 'Line' : words(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.id}>
              {columns.map(({ name, field }) => (
                <td key={name} class={classOf(field)}>
                  <Value value={line[name]} schema={field} currency={line.currency ?? currency} most={60} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
