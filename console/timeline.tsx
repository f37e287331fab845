import { useState } from 'preact/hooks'
import { linkTo } from './address.ts'
import type { Entity } from './api.ts'
import { resolved } from './contract.ts'
import { beginning, money, number, time } from './format.ts'
import { type Line, LineTable } from './line-table.tsx'
import { Loading } from './loading.tsx'
import { useSession } from './session.tsx'
import { Value } from './value.tsx'
import './timeline.css'

interface Invoice extends Entity {
  readonly created: number
  readonly total: number
  readonly currency: string
  readonly line_items: readonly Line[]
  readonly discounts: readonly Entity[]
}

const Entry = ({ invoice }: { readonly invoice: Invoice }) => {
  const { document, resources } = useSession()
  const { id, external_id, created, total, currency, line_items, discounts } = invoice
  const { fields } = resources.find(({ plural }) => plural === 'invoices')!
  return (
    <li>
      <details class="card">
        <summary>
          <span class="when">{time(created)}</span>
          <bdi class="what">{beginning(String(external_id), 60)}</bdi>
          <span class="number">{money(total, currency)}</span>
        </summary>
        <p>
          <a href={linkTo(['invoices', id])}>Open the invoice</a>
          {discounts.length > 0 && (
            <>
              {' · '}Discounts: <Value value={discounts} schema={{ type: 'array' }} />
            </>
          )}
          {' · '}
          {number(line_items.length)} {line_items.length === 1 ? 'line' : 'lines'}
        </p>
        {line_items.length > 0 && (
          <LineTable
            lines={line_items}
            schema={resolved(document, fields.line_items?.items ?? {})}
            currency={currency}
          />
        )}
      </details>
    </li>
  )
}

interface TimelineProps {
  /** The filter of the invoices. */
  readonly query: Readonly<Record<string, string>>
}

/** Invoices with their lines and prices, those that were recorded last first, and further ones when asked for. */
export const Timeline = ({ query }: TimelineProps) => {
  const { api } = useSession()
  const [older, setOlder] = useState<readonly string[]>([])
  return (
    <section>
      <h2>
        <a href={linkTo(['invoices'], query)}>Invoices</a>
      </h2>
      {['', ...older].map((cursor, page) => (
        <Loading
          key={cursor}
          name={JSON.stringify([query, cursor])}
          load={(signal) =>
            api.invoices!.list({
              ...query,
              include: 'line_items,price,discounts,external_id',
              cursor,
              signal,
            })
          }
        >
          {({ items, next_cursor }) => (
            <>
              {items.length === 0 && <p class="empty">None.</p>}
              <ol class="timeline">
                {(items as Invoice[]).map((invoice) => (
                  <Entry key={invoice.id} invoice={invoice} />
                ))}
              </ol>
              {next_cursor && page === older.length && (
                <button type="button" onClick={() => setOlder([...older, next_cursor])}>
                  Show older invoices
                </button>
              )}
            </>
          )}
        </Loading>
      ))}
    </section>
  )
}
