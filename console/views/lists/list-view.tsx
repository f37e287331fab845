import { CreationForm } from '../../forms/creation.tsx'
import { type Address, linkTo, pathWithQuery } from '../../frame/address.ts'
import type { DocumentedResource } from '../../frame/contract.ts'
import { useSession } from '../../frame/session.ts'
import { Developer } from '../../parts/developer.tsx'
import { Heading } from '../../parts/heading.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PageLinks } from '../../parts/page-links.tsx'
import { PrintedFilters } from '../../parts/printed-filters.tsx'
import { RecordTable } from '../../tables/record-table.tsx'
import { plainName } from '../../text/format.ts'

/** The default includes of a list: the users' own ids, and the entities to which each entity belongs. */
const defaultIncludes = ({ listIncludes }: DocumentedResource): string =>
  listIncludes.filter((name) => ['external_id', 'customer', 'product'].includes(name)).join(',')

export interface ListViewProps {
  readonly resource: DocumentedResource
  readonly query: Address['query']
}

/** A page of a list as the service returns it, with the links to the next and the previous page. */
export const ListView = ({ resource, query }: ListViewProps) => {
  const { api } = useSession()
  const { plural, fields } = resource
  const options = { include: defaultIncludes(resource), ...query }
  const linkToPage = (cursor: string | null) =>
    cursor === null ? undefined : linkTo([plural], { ...query, cursor })
  const filters = [resource.filter ?? '', 'changed_since'].map(
    (name) => query[name] && `${plainName(name)}: ${query[name]}`,
  )
  return (
    <main>
      <header class="title">
        <Heading name={plainName(plural)} />
        <CreationForm resource={resource} />
      </header>
      <PrintedFilters filters={filters} />
      <Loading load={(signal) => api[plural]!.list({ ...options, signal })}>
        {({ items, next_cursor, previous_cursor }) => (
          <>
            <div class="card">
              <RecordTable label={plainName(plural)} fields={fields} records={items} plural={plural} />
            </div>
            <PageLinks previous={linkToPage(previous_cursor)} next={linkToPage(next_cursor)} />
            <Developer path={pathWithQuery([plural], options)} data={items} />
          </>
        )}
      </Loading>
    </main>
  )
}
