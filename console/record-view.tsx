import { useContext, useState } from 'preact/hooks'
import { linkTo } from './address.ts'
import type { Entity } from './api.ts'
import { type Resource, resolved, type Schema } from './contract.ts'
import { EntityTable } from './entity-table.tsx'
import { Erasure } from './erasure.tsx'
import { FormView } from './form-view.tsx'
import { words } from './format.ts'
import { type Line, LineTable } from './line-table.tsx'
import { usualIncludes } from './list-view.tsx'
import { Loading } from './loading.tsx'
import { ChangesContext, useSession } from './session.tsx'
import { Source } from './source.tsx'
import { Timeline } from './timeline.tsx'
import { labelOf, Value } from './value.tsx'
import './record-view.css'

/** Returns what a record's page shows as fields: all but the lines, and the id of an entity that is embedded. */
const fieldsOf = (entity: Entity): string[] =>
  Object.keys(entity).filter((name) => {
    if (name === 'line_items') return false
    return !name.endsWith('_id') || !(name.slice(0, -'_id'.length) in entity)
  })

const Fields = ({ entity, resource }: { readonly entity: Entity; readonly resource: Resource }) => (
  <dl class="card fields">
    {fieldsOf(entity).map((name) => (
      <div key={name}>
        <dt>{words(name)}</dt>
        <dd>
          {name === 'id' ? (
            <code>{entity.id}</code>
          ) : (
            <Value
              value={entity[name]}
              schema={resource.fields[name] as Schema}
              currency={entity.currency as string | null}
            />
          )}
        </dd>
      </div>
    ))}
  </dl>
)

interface ChildrenProps {
  readonly resource: Resource
  readonly parent: string
}

/** The entities of another resource that name this one. Invoices are a timeline. */
const Children = ({ resource, parent }: ChildrenProps) => {
  const { api } = useSession()
  const { plural, filter } = resource
  const query = { [filter!]: parent }
  if (plural === 'invoices') return <Timeline query={query} />
  const include = usualIncludes(resource).filter((name) => `${name}_id` !== filter)
  return (
    <section>
      <h2>
        <a href={linkTo([plural], query)}>{words(plural)}</a>
      </h2>
      <Loading
        name={`${plural} ${parent}`}
        load={(signal) => api[plural]!.list({ ...query, include, limit: 100, signal })}
      >
        {({ items }) =>
          items.length > 0 ? (
            <EntityTable resource={resource} entities={items} caption={words(plural)} />
          ) : (
            <p class="empty">None.</p>
          )
        }
      </Loading>
    </section>
  )
}

interface ChangesProps {
  readonly resource: Resource
  readonly entity: Entity
  readonly saved: () => void
}

/** What changes an entity, if there is such an operation and the user allows it. */
const Changes = ({ resource, entity, saved }: ChangesProps) => {
  if (!useContext(ChangesContext) || !resource.update) return null
  return (
    <>
      <details>
        <summary>Change</summary>
        <FormView resource={resource} entity={entity} saved={saved} />
      </details>
      <details>
        <summary>Erase</summary>
        <Erasure plural={resource.plural} entity={entity} saved={saved} />
      </details>
    </>
  )
}

/** The page of an entity: its fields, its lines, and what other resources say of it. */
export const RecordView = ({ resource, id }: { readonly resource: Resource; readonly id: string }) => {
  const { api, document, resources } = useSession()
  const { plural, singular, includes } = resource
  const options = { include: includes.join(',') }
  const [label, setLabel] = useState(id)
  const [version, setVersion] = useState(0)
  const load = async (signal: AbortSignal) => {
    const entity = await api[plural]!.retrieve(id, { ...options, signal })
    setLabel(labelOf(entity))
    return entity
  }
  return (
    <main>
      <header class="title">
        <h1>
          <small>{words(singular)}</small> <bdi>{label}</bdi>
        </h1>
      </header>
      <Loading name={`${linkTo([plural, id])} ${version}`} load={load}>
        {(entity) => (
          <>
            <Fields entity={entity} resource={resource} />
            <Changes resource={resource} entity={entity} saved={() => setVersion(version + 1)} />
            {Array.isArray(entity.line_items) && entity.line_items.length > 0 && (
              <section>
                <h2>Lines</h2>
                <LineTable
                  lines={entity.line_items as Line[]}
                  schema={resolved(document, resource.fields.line_items?.items ?? {})}
                  currency={entity.currency as string}
                />
              </section>
            )}
            {resources
              .filter(({ filter }) => filter === `${singular}_id`)
              .toReversed()
              .map((each) => (
                <Children key={each.plural} resource={each} parent={entity.id} />
              ))}
            <Source path={`/api/${plural}/${encodeURIComponent(entity.id)}`} query={options} data={entity} />
          </>
        )}
      </Loading>
    </main>
  )
}
