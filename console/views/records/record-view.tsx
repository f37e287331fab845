import { useState } from 'preact/hooks'
import { CustomerChanges } from '../../forms/customer-changes.tsx'
import { linkTo, pathWithQuery } from '../../frame/address.ts'
import type { Resource } from '../../frame/contract.ts'
import { useCopy } from '../../frame/copied.tsx'
import { useSession } from '../../frame/session.ts'
import { useTimeZone } from '../../frame/time-zone.ts'
import { Heading } from '../../parts/heading.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Source } from '../../parts/source.tsx'
import type { Entity } from '../../records/entities.ts'
import { entityLabel } from '../../records/entity-label.ts'
import { FieldValue } from '../../tables/field-value.tsx'
import { RecordTable, withoutEmbeddedIds } from '../../tables/record-table.tsx'
import { beginning, money, plainName, time } from '../../text/format.ts'
import type { ListViewProps } from '../lists/list-view.tsx'
import './record-view.css'

interface EntityProps {
  readonly resource: Resource
  readonly entity: Entity
}

const Fields = ({ resource, entity }: EntityProps) => (
  <dl class="card fields">
    {withoutEmbeddedIds(Object.keys(entity))
      .filter((name) => name !== 'line_items')
      .map((name) => (
        <div key={name}>
          <dt>{plainName(name)}</dt>
          <dd>
            <FieldValue value={entity[name]} schema={resource.fields[name]} currency={entity.currency} />
          </dd>
        </div>
      ))}
  </dl>
)

/** The lines of an invoice, in their order; those that name no currency have its. */
const Lines = ({ resource, entity }: EntityProps) => {
  const { currency } = entity
  const lines = (entity.line_items as Entity[]).map((line) => ({
    ...line,
    currency: line.currency ?? currency,
  }))
  return <RecordTable label="Lines" fields={resource.fields.line_items!.items!.properties!} records={lines} />
}

const Invoice = ({ resource, entity }: EntityProps) => {
  const timeZone = useTimeZone()
  const { id, external_id, created, total, currency, discounts } = entity
  return (
    <li>
      <details class="card">
        <summary>
          <span class="quiet">{time(created as number, timeZone)}</span>
          <bdi>{beginning(String(external_id), 60)}</bdi>
          <span>{money(total as number, currency as string)}</span>
        </summary>
        <p>
          <a href={linkTo(['invoices', id])}>Open the invoice</a> · Discounts:{' '}
          <FieldValue value={discounts} schema={resource.fields.discounts} currency={currency} />
        </p>
        <Lines resource={resource} entity={entity} />
      </details>
    </li>
  )
}

/** The entities that refer to a record, latest first; older ones are in their list. Invoices form a timeline. */
const Related = ({ resource, query }: ListViewProps) => {
  const { api } = useSession()
  const { plural, fields, filter } = resource
  const isTimeline = plural === 'invoices'
  const include = isTimeline ? 'line_items,price,discounts,external_id' : 'external_id'
  const link = linkTo([plural], query)
  const load = (signal: AbortSignal) => api[plural]!.list({ ...query, include, limit: 100, signal })
  const table = { label: plainName(plural), fields, plural, omittedField: filter }
  return (
    <section>
      <h2>
        <a href={link}>{plainName(plural)}</a>
      </h2>
      <Loading load={load}>
        {({ items, next_cursor: cursor }) => (
          <>
            {isTimeline && items.length > 0 ? (
              <ol class="timeline">
                {items.map((entity) => (
                  <Invoice key={entity.id} resource={resource} entity={entity} />
                ))}
              </ol>
            ) : (
              <RecordTable {...table} records={items} />
            )}
            {cursor && <a href={linkTo([plural], { ...query, cursor })}>Older {plural} →</a>}
          </>
        )}
      </Loading>
    </section>
  )
}

/** The page of an entity: its fields, its lines, and what refers to it. */
export const RecordView = ({ resource, id }: { readonly resource: Resource; readonly id: string }) => {
  const { api, resources, mayChange } = useSession()
  const { save } = useCopy()
  const [label, setLabel] = useState(id)
  const [version, setVersion] = useState(0)
  const { plural, singular } = resource
  const related = resources.filter(({ filter }) => filter === `${singular}_id`).toReversed()
  // What has a table below need not be embedded.
  const include = resource.includes.filter((name) => !related.some((each) => each.plural === name)).join(',')
  const load = async (signal: AbortSignal) => {
    const entity = await api[plural]!.retrieve(id, { include, signal })
    setLabel(entityLabel(entity))
    return entity
  }
  const saved = async (entity: Entity) => {
    await save(plural, entity)
    setVersion(version + 1)
  }
  return (
    <main>
      <Heading key={`heading ${version}`} kind={plainName(singular)} name={label} />
      <p role="status">{version > 0 && 'The change is saved.'}</p>
      <Loading key={version} load={load}>
        {(entity) => (
          <>
            <Fields resource={resource} entity={entity} />
            {mayChange && resource.update && (
              <CustomerChanges resource={resource} customer={entity} onSaved={saved} />
            )}
            {'line_items' in entity && (
              <section class="lines">
                <h2>Lines</h2>
                <Lines resource={resource} entity={entity} />
              </section>
            )}
            {related.map((each) => (
              <Related key={each.plural} resource={each} query={{ [`${singular}_id`]: entity.id }} />
            ))}
            <Source path={pathWithQuery([plural, entity.id], { include })} data={entity} />
          </>
        )}
      </Loading>
    </main>
  )
}
