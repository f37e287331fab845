import type { TargetedSubmitEvent } from 'preact'
import { type Address, linkTo } from './address.ts'
import type { Resource } from './contract.ts'
import { EntityForm } from './form.tsx'
import { words } from './format.ts'
import { Loading } from './loading.tsx'
import { RecordTable } from './records.tsx'
import { useSession } from './session.ts'
import { Source } from './source.tsx'
import './list-view.css'

/** Returns what a list embeds unless its address says otherwise: the user's own ids, and the entities that each names. */
export const usualIncludes = ({ listIncludes }: Resource): string[] =>
  listIncludes.filter((name) => ['external_id', 'customer', 'product'].includes(name))

interface ListViewProps {
  readonly resource: Resource
  readonly query: Address['query']
}

interface ControlsProps extends ListViewProps {
  /** The names of what is embedded, separated by commas. */
  readonly include: string
}

/** The filters of a list, and what it embeds. */
const Controls = ({ resource, query, include }: ControlsProps) => {
  const { plural, filter, listIncludes } = resource
  const embedded = include.split(',')
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const textOf = (name: string) => String(form.get(name)).trim()
    location.hash = linkTo([plural], {
      ...(filter ? { [filter]: textOf(filter) } : {}),
      changed_since: textOf('changed_since'),
      include: form.getAll('include').join(',') || 'none',
    })
  }
  return (
    <form class="controls" onSubmit={submit} key={JSON.stringify(query)} aria-label="Filters">
      {filter && (
        <label>
          {words(filter)}
          <input name={filter} value={query[filter]} placeholder="Either id" spellcheck={false} />
        </label>
      )}
      <label>
        Changed since
        <input name="changed_since" value={query.changed_since} placeholder="2026-01-31" />
      </label>
      <fieldset>
        <legend>Show with each</legend>
        {listIncludes.map((name) => (
          <label key={name} class="check">
            <input type="checkbox" name="include" value={name} checked={embedded.includes(name)} />
            {words(name)}
          </label>
        ))}
      </fieldset>
      <button type="submit">Apply</button>
    </form>
  )
}

/** A page of a list, with its filters, and the ways to the next and the previous page. */
export const ListView = ({ resource, query }: ListViewProps) => {
  const { api, mayChange } = useSession()
  const { plural, fields } = resource
  const include = query.include ?? usualIncludes(resource).join(',')
  const options = { ...query, include: include === 'none' ? '' : include }
  const link = linkTo([plural], options)
  const to = (cursor: string) => linkTo([plural], { ...query, cursor })
  return (
    <main>
      <h1>{words(plural)}</h1>
      {mayChange && resource.create && (
        <details>
          <summary>Create</summary>
          <EntityForm
            key={plural}
            resource={resource}
            saved={({ id }) => {
              location.hash = linkTo([plural, id])
            }}
          />
        </details>
      )}
      <Controls resource={resource} query={query} include={include} />
      <Loading name={link} load={(signal) => api[plural]!.list({ ...options, signal })}>
        {({ items, next_cursor, previous_cursor }) => (
          <>
            {items.length > 0 ? (
              <RecordTable label={words(plural)} fields={fields} records={items} plural={plural} />
            ) : (
              <p class="empty">There are none{Object.keys(query).length > 0 && ' with these filters'}.</p>
            )}
            <nav class="pages" aria-label="Pages">
              {previous_cursor && <a href={to(previous_cursor)}>← Previous</a>}
              {next_cursor && <a href={to(next_cursor)}>Next →</a>}
            </nav>
            <Source link={link} data={items} />
          </>
        )}
      </Loading>
    </main>
  )
}
