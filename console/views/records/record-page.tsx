import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { pathWithQuery } from '../../frame/address.ts'
import { useSession } from '../../frame/session.ts'
import { Heading } from '../../parts/heading.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Source } from '../../parts/source.tsx'
import type { Entity } from '../../records/entities.ts'
import { entityLabel } from '../../records/entity-label.ts'
import './record-page.css'

interface RecordPageProps {
  /** The kind of the record in the heading, such as "Invoice". */
  readonly kind: string
  /** Returns the kind of the loaded record, if it has a more precise one. */
  readonly preciseKind?: (record: Entity) => string
  /** The list that contains the record, such as `invoices`. */
  readonly plural: string
  /** The service's id or the user's own id. */
  readonly id: string
  /** The includes of the request, separated by commas. */
  readonly include: string
  readonly children: (record: Entity) => ComponentChildren
}

/** The page of a record that is read from the service. It ends with the ids of the record and its data as JSON. */
export const RecordPage = ({
  kind,
  preciseKind = () => kind,
  plural,
  id,
  include,
  children,
}: RecordPageProps) => {
  const { api } = useSession()
  const [heading, setHeading] = useState({ kind, name: id })
  const load = async (signal: AbortSignal) => {
    const record = await api[plural]!.retrieve(id, { include, signal })
    setHeading({ kind: preciseKind(record), name: entityLabel(record) })
    return record
  }
  return (
    <main>
      <Heading {...heading} />
      <Loading load={load}>
        {(record) => (
          <>
            {children(record)}
            <footer class="small">
              <p>
                Your id <code>{String(record.external_id)}</code>, our id <code>{record.id}</code>
              </p>
              <Source path={pathWithQuery([plural, record.id], { include })} data={record} />
            </footer>
          </>
        )}
      </Loading>
    </main>
  )
}
