import { useState } from 'preact/hooks'
import { linkTo } from '../frame/address.ts'
import { kindOf, type Resource, type Schema } from '../frame/contract.ts'
import { useCopy } from '../frame/copied.tsx'
import { useSession } from '../frame/session.ts'
import type { Entity } from '../records/entities.ts'
import { plainName } from '../text/format.ts'
import { bodyFrom, errorsByField, isJson, textOf } from './form-values.ts'
import { Preformatted } from './records.tsx'
import { Form, typedIn } from './requests.tsx'
import './form.css'

interface FieldProps {
  readonly name: string
  readonly schema: Schema
  readonly required: boolean
  readonly value: unknown
  readonly errors: readonly string[]
}

const Field = ({ name, schema, required, value, errors }: FieldProps) => {
  const ofJson = isJson(schema)
  const choices = kindOf(schema) === 'boolean' ? ['true', 'false'] : schema.enum
  const described = `${name}-about`
  const control = {
    id: name,
    name,
    // Not `required`: the service says what is wrong, all of it at once.
    'aria-required': required,
    'aria-describedby': described,
    'aria-invalid': errors.length > 0,
    defaultValue: textOf(value),
  }
  return (
    <div class="field">
      <label
        for={name}
      >{`${plainName(name === 'id' ? 'external_id' : name)}${required ? ' (required)' : ''}`}</label>
      {choices && (
        <select {...control}>
          {['', ...choices].map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      )}
      {ofJson && <textarea {...control} rows={4} spellcheck={false} />}
      {!choices && !ofJson && <input {...control} autocomplete="off" />}
      <div id={described}>
        {errors.map((error) => (
          <p key={error} class="wrong">
            {error}
          </p>
        ))}
        <p class="quiet">
          <code>{name}</code>
          {` ${schema.description ?? ''}${ofJson ? ' As JSON.' : ''}`}
        </p>
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
const EntityForm = ({ resource, entity, saved }: EntityFormProps) => {
  const { api } = useSession()
  const [errors, setErrors] = useState<ReturnType<typeof errorsByField>>()
  const { plural, singular } = resource
  const { properties = {}, required = [] } = (entity ? resource.update : resource.create)!
  const { id, ...others } = properties
  const fields = entity ? others : properties
  const send = async (typed: FormData) => {
    setErrors(undefined)
    const body = bodyFrom(fields, typed, entity)
    try {
      saved(await (entity ? api[plural]!.update(entity.id, body) : api[plural]!.create(body)))
    } catch (error) {
      const found = errorsByField(error, fields, body)
      setErrors(found)
      if (!found.isAll) throw error
    }
  }
  return (
    <Form class="card entity-form" action={`${entity ? 'Save' : 'Create'} ${singular}`} send={send}>
      {Object.entries(fields).map(([name, schema]) => (
        <Field
          key={name}
          name={name}
          schema={schema}
          required={!entity && required.includes(name)}
          value={entity?.[name]}
          errors={errors?.byField.get(name) ?? []}
        />
      ))}
    </Form>
  )
}

/** What is created by hand; prices, discounts and invoices come from the program that bills. */
const created: ReadonlySet<string> = new Set(['customers', 'products'])

/** The folded form that creates an entity and leads to its page; none if it is not created by hand, or the key only reads. */
export const Creation = ({ resource }: { readonly resource: Resource }) => {
  const { mayChange } = useSession()
  const { save } = useCopy()
  const { plural } = resource
  if (!mayChange || !created.has(plural)) return null
  const saved = async (entity: Entity) => {
    await save(plural, entity)
    location.hash = linkTo([plural, entity.id])
  }
  return (
    <details>
      <summary>Create</summary>
      <EntityForm resource={resource} saved={saved} />
    </details>
  )
}

interface ErasureProps {
  readonly entity: Entity
  readonly saved: (entity: Entity) => void
}

/** Erases a customer's personal data, after the user has typed the customer's id to confirm. */
const Erasure = ({ entity, saved }: ErasureProps) => {
  const { api } = useSession()
  const erase = async (typed: FormData) => {
    const isConfirmed = [entity.id, entity.external_id].includes(typedIn(typed, 'erased_id'))
    if (!isConfirmed) throw new Error('This is not the id of this customer; nothing was erased.')
    saved(await api.customers!.anonymise(entity.id))
  }
  return (
    <Form class="card danger" action="Erase for ever" send={erase}>
      <p>
        Erasure replaces the name and the email address with placeholders, and deletes the note, the phone
        number and all other personal data. Invoices, subscriptions and both ids stay, and so does this
        metadata:
      </p>
      <Preformatted text={JSON.stringify(entity.metadata, null, 2)} />
      <label>
        Type the id of the customer to erase
        <input name="erased_id" required autocomplete="off" spellcheck={false} />
      </label>
    </Form>
  )
}

/** The forms that change a customer, folded until they are wanted. */
export const Changes = ({ resource, entity, saved }: ErasureProps & { readonly resource: Resource }) => (
  <div class="folded">
    <details>
      <summary>Edit</summary>
      <EntityForm resource={resource} entity={entity} saved={saved} />
    </details>
    <details>
      <summary>Erase</summary>
      <Erasure entity={entity} saved={saved} />
    </details>
  </div>
)
