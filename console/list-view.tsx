import { useContext } from 'preact/hooks'
import type { Address } from './address.ts'
import { linkTo } from './address.ts'
import type { Resource } from './contract.ts'
import { EntityTable } from './entity-table.tsx'
import { FormView } from './form-view.tsx'
import { words } from './format.ts'
import { ListControls } from './list-controls.tsx'
import { Loading } from './loading.tsx'
import { goTo } from './navigation.ts'
import { ChangesContext, useSession } from './session.tsx'
import { Source } from './source.tsx'
import './list-view.css'

/** Returns what a list embeds unless its address says otherwise: the user's own ids, and the entities that each names. */
export const usualIncludes = ({ listIncludes, fields }: Resource): string[] =>
  listIncludes.filter((name) => ['external_id', 'customer', 'product'].includes(name) && name in fields)

interface ListViewProps {
  readonly resource: Resource
  readonly query: Address['query']
}

/** A page of a list, with its filters, and the ways to the next and the previous page. */
export const ListView = ({ resource, query }: ListViewProps) => {
  const { api } = useSession()
  const changes = useContext(ChangesContext)
  const { plural } = resource
  const include = query.include ?? usualIncludes(resource).join(',')
  const options = { ...query, include: include === 'none' ? '' : include }
  const to = (cursor: string | null) => linkTo([plural], { ...query, cursor: cursor ?? undefined })
  return (
    <main>
      <header class="title">
        <h1>{words(plural)}</h1>
      </header>
      {changes && resource.create && (
        <details>
          <summary>Create</summary>
          <FormView key={plural} resource={resource} saved={({ id }) => goTo(linkTo([plural, id]))} />
        </details>
      )}
      <ListControls resource={resource} query={query} include={include} />
      <Loading name={linkTo([plural], options)} load={(signal) => api[plural]!.list({ ...options, signal })}>
        {({ items, next_cursor, previous_cursor }) => (
          <>
            {items.length > 0 ? (
              <EntityTable resource={resource} entities={items} caption={words(plural)} />
            ) : (
              <p class="empty">Nothing is recorded here.</p>
            )}
            <nav class="pages" aria-label="Pages">
              {previous_cursor ? <a href={to(previous_cursor)}>← Previous</a> : <span />}
              {next_cursor && <a href={to(next_cursor)}>Next →</a>}
            </nav>
            <Source path={`/api/${plural}`} query={options} data={items} />
          </>
        )}
      </Loading>
    </main>
  )
}
