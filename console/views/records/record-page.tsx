import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { pathWithQuery } from '../../frame/address.ts'
import { useSession } from '../../frame/session.ts'
import { Developer } from '../../parts/developer.tsx'
import { Heading } from '../../parts/heading.tsx'
import { Loading } from '../../parts/loading.tsx'
import type { RecordedEntity } from '../../records/entities.ts'
import { entityLabel } from '../../records/entity-text.ts'

interface RecordPageProps {
  /** The kind of the record in the heading, such as "Invoice". */
  readonly kind: string
  /** Returns the kind of the loaded record, if it has a more precise one. */
  readonly preciseKind?: (record: RecordedEntity) => string
  readonly plural: string
  /** The service's id or the user's own id. */
  readonly id: string
  readonly include: string
  /** The number of changes that the user has saved. After each, the record is read again. */
  readonly version?: number
  readonly children: (record: RecordedEntity) => ComponentChildren
}

/** The page of a record that is read from the service. Its panel for developers has the ids and the data of the record. */
export const RecordPage = ({
  kind,
  preciseKind = () => kind,
  plural,
  id,
  include,
  version,
  children,
}: RecordPageProps) => {
  const { api } = useSession()
  const [loaded, setLoaded] = useState<RecordedEntity>()
  const load = async (signal: AbortSignal) => {
    const record = await api[plural]!.retrieve(id, { include, signal })
    setLoaded(record)
    return record
  }
  return (
    <main>
      <header class="title">
        <Heading
          key={`heading ${version}`}
          kind={loaded ? preciseKind(loaded) : kind}
          name={loaded ? entityLabel(loaded) : id}
        />
        {version !== undefined && <p role="status">{version > 0 && 'The change is saved.'}</p>}
        {loaded && (
          <span class="push">
            <Developer path={pathWithQuery([plural, loaded.id], { include })} data={loaded} />
          </span>
        )}
      </header>
      <Loading key={version} load={load}>
        {children}
      </Loading>
    </main>
  )
}
