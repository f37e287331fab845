import { Creation } from '../../forms/creation.tsx'
import { Form, trimmedText } from '../../forms/form.tsx'
import { type Address, linkTo, pathWithQuery } from '../../frame/address.ts'
import type { Resource } from '../../frame/contract.ts'
import { useSession } from '../../frame/session.ts'
import { Heading } from '../../parts/heading.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PageLinks } from '../../parts/page-links.tsx'
import { PrintedFilters } from '../../parts/printed-filters.tsx'
import { Source } from '../../parts/source.tsx'
import { RecordTable } from '../../tables/record-table.tsx'
import { plainName } from '../../text/format.ts'
import './list-view.css'

/** Returns the default includes of a list: the users' own ids, and the entities to which each entity belongs. */
const defaultIncludes = ({ listIncludes }: Resource): string =>
  listIncludes.filter((name) => ['external_id', 'customer', 'product'].includes(name)).join(',')

/** The value of `include` in the address of a list that embeds nothing. An empty value would mean the default. */
const NO_INCLUDES = 'none'

/** The properties of a view of a list. */
export interface ListViewProps {
  readonly resource: Resource
  /** The parameters of the list's request, as its address has them. */
  readonly query: Address['query']
}

interface ControlsProps extends ListViewProps {
  /** The names of the entities that the list embeds, separated by commas. */
  readonly include: string
}

/** The form that chooses the filters and includes of a list. */
const Controls = ({ resource, query, include }: ControlsProps) => {
  const { plural, filter, listIncludes } = resource
  const included = include.split(',')
  const apply = (data: FormData) => {
    location.hash = linkTo([plural], {
      ...(filter ? { [filter]: trimmedText(data, filter) } : {}),
      changed_since: trimmedText(data, 'changed_since'),
      include: data.getAll('include').join(',') || NO_INCLUDES,
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
        Changed since
        <input name="changed_since" value={query.changed_since} placeholder="2026-01-31" />
      </label>
      <fieldset>
        <legend>Include</legend>
        {listIncludes.map((name) => (
          <label key={name} class="check">
            <input type="checkbox" name="include" value={name} checked={included.includes(name)} />
            {plainName(name)}
          </label>
        ))}
      </fieldset>
    </Form>
  )
}

/** A page of a list as the service returns it, with its filters and the links to the next and the previous page. */
export const ListView = ({ resource, query }: ListViewProps) => {
  const { api } = useSession()
  const { plural, fields } = resource
  const include = query.include ?? defaultIncludes(resource)
  const options = { ...query, include: include === NO_INCLUDES ? '' : include }
  const linkToPage = (cursor: string | null) =>
    cursor === null ? undefined : linkTo([plural], { ...query, cursor })
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
            <PageLinks previous={linkToPage(previous_cursor)} next={linkToPage(next_cursor)} />
            <Source path={pathWithQuery([plural], options)} data={items} />
          </>
        )}
      </Loading>
    </main>
  )
}
