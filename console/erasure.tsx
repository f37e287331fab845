import { useState } from 'preact/hooks'
import type { Entity } from './api.ts'
import { Problem } from './problem.tsx'
import { useSession } from './session.tsx'

interface ErasureProps {
  readonly plural: string
  readonly entity: Entity
  readonly saved: () => void
}

/** Erases the personal data of an entity, after its id was typed. */
export const Erasure = ({ plural, entity, saved }: ErasureProps) => {
  const { api } = useSession()
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<unknown>()
  const confirmed = typed === entity.id || typed === entity.external_id
  const erase = () => api[plural]!.anonymise(entity.id).then(saved, setError)
  return (
    <section class="card">
      <p>Erasure replaces name and e-mail address for ever; invoices stay. Type the id to confirm.</p>
      <label>
        Id of who is erased
        <input value={typed} onInput={(event) => setTyped(event.currentTarget.value)} autocomplete="off" />
      </label>
      <p>
        <button type="button" disabled={!confirmed} onClick={erase}>
          Erase for ever
        </button>
      </p>
      {error !== undefined && <Problem error={error} />}
    </section>
  )
}
