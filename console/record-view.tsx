import { useState } from 'preact/hooks'
import { linkTo } from './address.ts'
import type { Entity, Resource } from './contract.ts'
import { EntityForm, Erasure } from './form.tsx'
import { beginning, money, time, words } from './format.ts'
import { usualIncludes } from './list-view.tsx'
import { Loading } from './loading.tsx'
import { labelOf, RecordTable, Value } from './records.tsx'
import { useSession } from './session.ts'
import { Source } from './source.tsx'
import './record-view.css'

interface EntityProps {
  readonly resource: Resource
  readonly entity: Entity
}

/** What a record's page shows at most of a text; its JSON has all of it. */
const MOST = 500

/** The fields of an entity, without lines, which are a table, and ids of what is embedded. */
const Fields = ({ resource, entity }: EntityProps) => (
  <dl class="card fields">
    {Object.entries(entity)
      .filter(
        ([name]) =>
          name !== 'line_items' && !(name.replace(/_id$/, '') !== name && name.replace(/_id$/, '') in entity),
      )
      .map(([name, value]) => (
        <div key={name}>
          <dt>{words(name)}</dt>
          <dd>
            {name === 'id' ? (
              <code>{entity.id}</code>
            ) : (
              <Value value={value} schema={resource.fields[name]} currency={entity.currency} most={MOST} />
            )}
          </dd>
        </div>
      ))}
  </dl>
)

/** The lines of an invoice, in their order. */
const Lines = ({ resource, entity }: EntityProps) => (
  <RecordTable
    label="Lines"
    fields={resource.fields.line_items!.items!.properties!}
    records={entity.line_items as Entity[]}
    currency={entity.currency}
  />
)

/** An invoice as an entry of a timeline, with its lines and their prices inside. */
const Invoice = ({ resource, entity }: EntityProps) => {
  const { id, external_id, created, total, currency, discounts } = entity
  return (
    <li>
      <details class="card">
        <summary>
          <span class="quiet">{time(created as number)}</span>
          <bdi class="what">{beginning(String(external_id), 60)}</bdi>
          <span>{money(total as number, currency as string)}</span>
        </summary>
        <p>
          <a href={linkTo(['invoices', id])}>Open the invoice</a> · Discounts:{' '}
          <Value value={discounts} schema={undefined} currency={null} most={MOST} />
        </p>
        <Lines resource={resource} entity={entity} />
      </details>
    </li>
  )
}

interface RelatedProps {
  readonly resource: Resource
  /** The filter by the entity that is looked at. */
  readonly query: Readonly<Record<string, string>>
  readonly cursor?: string
}

/** A page of what refers to an entity, the latest first, and older ones below when asked for. Invoices are a timeline. */
const Related = ({ resource, query, cursor = '' }: RelatedProps) => {
  const { api } = useSession()
  const [older, setOlder] = useState(false)
  const { plural, fields, filter } = resource
  const isTimeline = plural === 'invoices'
  const include = isTimeline ? 'line_items,price,discounts,external_id' : usualIncludes(resource).join(',')
  return (
    <Loading
      name={linkTo([plural], { ...query, cursor })}
      load={(signal) => api[plural]!.list({ ...query, include, cursor, limit: 100, signal })}
    >
      {({ items, next_cursor }) => (
        <>
          {items.length === 0 && <p class="empty">None.</p>}
          {isTimeline && (
            <ol class="timeline">
              {items.map((entity) => (
                <Invoice key={entity.id} resource={resource} entity={entity} />
              ))}
            </ol>
          )}
          {!isTimeline && items.length > 0 && (
            <RecordTable
              label={words(plural)}
              fields={fields}
              records={items}
              plural={plural}
              without={filter?.replace(/_id$/, '')}
            />
          )}
          {next_cursor && !older && (
            <button type="button" onClick={() => setOlder(true)}>
              Show older {words(plural).toLowerCase()}
            </button>
          )}
          {next_cursor && older && <Related resource={resource} query={query} cursor={next_cursor} />}
        </>
      )}
    </Loading>
  )
}

interface RecordViewProps {
  readonly resource: Resource
  readonly id: string
}

/** The page of an entity: its fields, its lines, and what refers to it. */
export const RecordView = ({ resource, id }: RecordViewProps) => {
  const { api, resources, mayChange } = useSession()
  const [label, setLabel] = useState(id)
  const [version, setVersion] = useState(0)
  const { plural, singular } = resource
  const related = resources.filter(({ filter }) => filter === `${singular}_id`).toReversed()
  // What has a table below need not be embedded.
  const include = resource.includes.filter((name) => !related.some((each) => each.plural === name)).join(',')
  const load = async (signal: AbortSignal) => {
    const entity = await api[plural]!.retrieve(id, { include, signal })
    setLabel(labelOf(entity))
    return entity
  }
  const saved = () => setVersion(version + 1)
  return (
    <main>
      <h1 class="name">
        <small>{words(singular)}</small> <bdi>{label}</bdi>
      </h1>
      <Loading name={`${linkTo([plural, id])} ${version}`} load={load}>
        {(entity) => (
          <>
            <Fields resource={resource} entity={entity} />
            {mayChange && resource.update && (
              <>
                <details>
                  <summary>Change</summary>
                  <EntityForm resource={resource} entity={entity} saved={saved} />
                </details>
                <details>
                  <summary>Erase</summary>
                  <Erasure plural={plural} entity={entity} saved={saved} />
                </details>
              </>
            )}
            {'line_items' in entity && <h2>Lines</h2>}
            {'line_items' in entity && <Lines resource={resource} entity={entity} />}
            {related.map((each) => {
              const query = { [`${singular}_id`]: entity.id }
              return (
                <section key={each.plural}>
                  <h2>
                    <a href={linkTo([each.plural], query)}>{words(each.plural)}</a>
                  </h2>
                  <Related resource={each} query={query} />
                </section>
              )
            })}
            <Source link={linkTo([plural, entity.id], { include })} data={entity} />
          </>
        )}
      </Loading>
    </main>
  )
}
