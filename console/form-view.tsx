import type { TargetedSubmitEvent } from 'preact'
import { useState } from 'preact/hooks'
import type { Entity } from './api.ts'
import { type Resource, resolved, type Schema } from './contract.ts'
import { FormField } from './form-field.tsx'
import { bodyFrom, formErrorsOf } from './form-values.ts'
import { Problem } from './problem.tsx'
import { useSession } from './session.tsx'
import './form-view.css'

interface FormViewProps {
  readonly resource: Resource
  /** The entity to change; without one, the form creates one. */
  readonly entity?: Entity
  readonly saved: (entity: Entity) => void
}

/** The form of a create or an update, made from its request's schema. Errors are shown at their fields. */
export const FormView = ({ resource, entity, saved }: FormViewProps) => {
  const { api, document } = useSession()
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const { plural, singular } = resource
  const schema = (entity ? resource.update : resource.create) as Schema
  const fields = Object.entries(schema.properties ?? {})
    .map(([name, field]) => ({ name, field: resolved(document, field) }))
    .filter(({ name }) => !entity || name !== 'id')
  const errors = formErrorsOf(
    error,
    fields.map(({ name }) => name),
  )
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setBusy(true)
    setError(undefined)
    try {
      const body = bodyFrom(fields, form, entity)
      const written = await (entity ? api[plural]!.update(entity.id, body) : api[plural]!.create(body))
      saved(written)
    } catch (thrown) {
      setError(thrown)
    }
    setBusy(false)
  }
  return (
    <form
      class="card entity-form"
      onSubmit={submit}
      noValidate
      aria-label={`${entity ? 'Change' : 'Create'} ${singular}`}
    >
      {fields.map(({ name, field }) => (
        <FormField
          key={name}
          name={name}
          schema={field}
          required={!entity && (schema.required ?? []).includes(name)}
          value={entity?.[name]}
          errors={errors.byField.get(name) ?? []}
        />
      ))}
      <button type="submit" class="primary" disabled={busy}>
        {entity ? 'Save' : `Create ${singular}`}
      </button>
      {errors.others && <Problem error={error} />}
    </form>
  )
}
