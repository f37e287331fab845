import { Creation } from '../../forms/creation.tsx'
import { Form, trimmedText } from '../../forms/form.tsx'
import { type Address, linkTo, pathWithQuery } from '../../frame/address.ts'
import type { Resource } from '../../frame/contract.ts'
import { useSession } from '../../frame/session.ts'
import { Heading } from '../../parts/heading.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PrintedFilters } from '../../parts/printed-filters.tsx'
import { Source } from '../../parts/source.tsx'
import { RecordTable } from '../../tables/record-table.tsx'
import { plainName } from '../../text/format.ts'
import './list-view.css'

/** Returns what a list embeds unless its address says otherwise: the user's own ids, and the entities that each names. */
const usualIncludes = ({ listIncludes }: Resource): string =>
  listIncludes.filter((name) => ['external_id', 'customer', 'product'].includes(name)).join(',')

/** A list, and the parameters of its request. */
export interface ListViewProps {
  readonly resource: Resource
  readonly query: Address['query']
}

const Controls = ({ resource, query, include }: ListViewProps & { readonly include: string }) => {
  const { plural, filter, listIncludes } = resource
  const embedded = include.split(',')
  const apply = (typed: FormData) => {
    location.hash = linkTo([plural], {
      ...(filter ? { [filter]: trimmedText(typed, filter) } : {}),
      changed_since: trimmedText(typed, 'changed_since'),
      include: typed.getAll('include').join(',') || 'none',
    })
  }
  return (
    <Form class="controls" action="Apply" send={apply}>
      {filter && (
        <label>
          {plainName(filter)}
          <input name={filter} value={query[filter]} placeholder="Your id or ours" spellcheck={false} />
        </label>
      )}
      <label>
        Changed since (UTC)
        <input name="changed_since" value={query.changed_since} placeholder="2026-01-31" />
      </label>
      <fieldset>
        <legend>Include</legend>
        {listIncludes.map((name) => (
          <label key={name} class="check">
            <input type="checkbox" name="include" value={name} checked={embedded.includes(name)} />
            {plainName(name)}
          </label>
        ))}
      </fieldset>
    </Form>
  )
}

/** A page of a list, with its filters, and the ways to the next and the previous page. */
export const ListView = ({ resource, query }: ListViewProps) => {
  const { api } = useSession()
  const { plural, fields } = resource
  const include = query.include ?? usualIncludes(resource)
  const options = { ...query, include: include === 'none' ? '' : include }
  const linkToPage = (cursor: string) => linkTo([plural], { ...query, cursor })
  const filters = [resource.filter ?? '', 'changed_since'].map(
    (name) => query[name] && `${plainName(name)}: ${query[name]}`,
  )
  return (
    <main>
      <Heading name={plainName(plural)} />
      <PrintedFilters filters={filters} />
      <Creation resource={resource} />
      <Controls resource={resource} query={query} include={include} />
      <Loading load={(signal) => api[plural]!.list({ ...options, signal })}>
        {({ items, next_cursor, previous_cursor }) => (
          <>
            <RecordTable label={plainName(plural)} fields={fields} records={items} plural={plural} />
            <nav class="pages" aria-label="Pages">
              {previous_cursor && <a href={linkToPage(previous_cursor)}>← Previous</a>}
              {next_cursor && <a href={linkToPage(next_cursor)}>Next →</a>}
            </nav>
            <Source path={pathWithQuery([plural], options)} data={items} />
          </>
        )}
      </Loading>
    </main>
  )
}
