import type { TargetedSubmitEvent } from 'preact'
import { useState } from 'preact/hooks'
import { type Entity, kindOf, type Resource, type Schema } from './contract.ts'
import { bodyFrom, formErrorsOf, textOf } from './form-values.ts'
import { words } from './format.ts'
import { Problem } from './loading.tsx'
import { useSession } from './session.ts'
import './form.css'

interface FieldProps {
  readonly name: string
  readonly schema: Schema
  readonly required: boolean
  readonly value: unknown
  readonly errors: readonly string[]
}

/** A field of a form, with what it means and what is wrong with it. */
const Field = ({ name, schema, required, value, errors }: FieldProps) => {
  const kind = kindOf(schema)
  const isJson = kind === 'object' || kind === 'list'
  const choices = kind === 'boolean' ? ['true', 'false'] : schema.enum
  const described = `${name}-about`
  const control = { id: name, name, required, 'aria-describedby': described, defaultValue: textOf(value) }
  const invalid = errors.length > 0
  return (
    <div class="field">
      <label for={name}>{`${words(name)}${required ? ' (required)' : ''}`}</label>
      {choices ? (
        <select {...control} aria-invalid={invalid}>
          {['', ...choices].map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : isJson ? (
        <textarea {...control} aria-invalid={invalid} rows={4} spellcheck={false} />
      ) : (
        <input {...control} aria-invalid={invalid} autocomplete="off" />
      )}
      <div id={described}>
        {errors.map((error) => (
          <p key={error} class="wrong">
            {error}
          </p>
        ))}
        <p class="quiet">{`${schema.description ?? ''}${isJson ? ' As JSON.' : ''}`}</p>
      </div>
    </div>
  )
}

interface EntityFormProps {
  readonly resource: Resource
  /** The entity to change; without one, the form creates one. */
  readonly entity?: Entity
  readonly saved: (entity: Entity) => void
}

/** The form of a create or an update, made from its request's schema. Errors are shown at their fields. */
export const EntityForm = ({ resource, entity, saved }: EntityFormProps) => {
  const { api } = useSession()
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const { plural, singular } = resource
  const { properties = {}, required = [] } = (entity ? resource.update : resource.create)!
  const { id, ...others } = properties
  const fields = entity ? others : properties
  const errors = formErrorsOf(error, fields)
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    try {
      const body = bodyFrom(fields, new FormData(event.currentTarget), entity)
      saved(await (entity ? api[plural]!.update(entity.id, body) : api[plural]!.create(body)))
    } catch (thrown) {
      setError(thrown)
    }
    setBusy(false)
  }
  const action = `${entity ? 'Change' : 'Create'} ${singular}`
  return (
    <form class="card entity-form" onSubmit={submit} noValidate aria-label={action}>
      {Object.entries(fields).map(([name, schema]) => (
        <Field
          key={name}
          name={name}
          schema={schema}
          required={!entity && required.includes(name)}
          value={entity?.[name]}
          errors={errors.byField.get(name) ?? []}
        />
      ))}
      <button type="submit" class="primary" disabled={busy}>
        {entity ? 'Save' : action}
      </button>
      {errors.others && <Problem error={error} />}
    </form>
  )
}

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
      <p>
        Erasure replaces the name and the email address for ever; invoices stay. Type the customer’s id to
        confirm.
      </p>
      <label>
        Id of the customer to erase
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
