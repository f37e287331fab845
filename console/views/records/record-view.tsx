import { useState } from 'preact/hooks'
import { CustomerChanges } from '../../forms/customer-changes.tsx'
import { linkTo } from '../../frame/address.ts'
import type { DocumentedResource } from '../../frame/contract.ts'
import { useCopy } from '../../frame/copy-context.tsx'
import { useSession } from '../../frame/session.ts'
import { DescribedTerm } from '../../parts/described-term.tsx'
import { Loading } from '../../parts/loading.tsx'
import type { RecordedEntity } from '../../records/entities.ts'
import { FieldValue } from '../../tables/field-value.tsx'
import { RecordTable, withoutEmbeddedIds } from '../../tables/record-table.tsx'
import { plainName } from '../../text/format.ts'
import { RecordPage } from './record-page.tsx'

interface FieldsProps {
  readonly resource: DocumentedResource
  readonly record: RecordedEntity
}

export const RecordFields = ({ resource, record }: FieldsProps) => (
  <dl class="card facts">
    {withoutEmbeddedIds(Object.keys(record)).map((name) => (
      <DescribedTerm key={name} term={plainName(name)}>
        <FieldValue value={record[name]} schema={resource.fields[name]} currency={record.currency} />
      </DescribedTerm>
    ))}
  </dl>
)

/** The maximum number of related entities to show. Older ones are in their list. */
const MAX_RELATED = 100

interface RelatedEntitiesProps {
  readonly resource: DocumentedResource
  /** The filter of their list that names the record, such as `customer_id`, and the record's id. */
  readonly filter: string
  readonly recordId: string
}

/** The entities that refer to a record, the latest first. */
const RelatedEntities = ({ resource, filter, recordId }: RelatedEntitiesProps) => {
  const { api } = useSession()
  const { plural, fields } = resource
  const query = { [filter]: recordId }
  return (
    <section class="card">
      <header>
        <h2>
          <a href={linkTo([plural], query)}>{plainName(plural)}</a>
        </h2>
      </header>
      <Loading
        load={(signal) => api[plural]!.list({ ...query, include: 'external_id', limit: MAX_RELATED, signal })}
      >
        {({ items, next_cursor: cursor }) => (
          <>
            <RecordTable
              label={plainName(plural)}
              fields={fields}
              records={items}
              plural={plural}
              omittedField={filter}
            />
            {cursor && <a href={linkTo([plural], { ...query, cursor })}>Older {plural} →</a>}
          </>
        )}
      </Loading>
    </section>
  )
}

interface RecordViewProps {
  readonly resource: DocumentedResource
  /** Either id of the record. */
  readonly id: string
}

/** The page of a record of any resource: its fields, and the entities that refer to it. */
export const RecordView = ({ resource, id }: RecordViewProps) => {
  const { resources, mayChange } = useSession()
  const { save } = useCopy()
  const [version, setVersion] = useState(0)
  const { plural, singular } = resource
  const filter = `${singular}_id`
  const relatedResources = resources.filter((other) => other.filter === filter).toReversed()
  // Entities that have a table of their own below need not be embedded.
  const include = resource.includes
    .filter((name) => !relatedResources.some((related) => related.plural === name))
    .join(',')
  const onSaved = async (saved: RecordedEntity) => {
    await save(plural, saved)
    setVersion(version + 1)
  }
  return (
    <RecordPage kind={plainName(singular)} plural={plural} id={id} include={include} version={version}>
      {(record) => (
        <>
          <RecordFields resource={resource} record={record} />
          {mayChange && resource.update && (
            <p class="chips">
              <CustomerChanges resource={resource} customer={record} onSaved={onSaved} />
            </p>
          )}
          {relatedResources.map((related) => (
            <RelatedEntities key={related.plural} resource={related} filter={filter} recordId={record.id} />
          ))}
        </>
      )}
    </RecordPage>
  )
}
