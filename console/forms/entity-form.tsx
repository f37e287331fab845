import { useState } from 'preact/hooks'
import { type DocumentedResource, type FieldSchema, kindOf } from '../frame/contract.ts'
import { useSession } from '../frame/session.ts'
import type { RecordedEntity } from '../records/entities.ts'
import { plainName } from '../text/format.ts'
import { Form } from './form.tsx'
import { bodyFrom, errorsByField, type FieldErrors, fieldText, isJson } from './form-values.ts'

interface FieldProps {
  readonly name: string
  readonly schema: FieldSchema
  readonly required: boolean
  /** The current value; undefined in the form of a create. */
  readonly value: unknown
  readonly errors: readonly string[]
}

const Field = ({ name, schema, required, value, errors }: FieldProps) => {
  const isTypedAsJson = isJson(schema)
  const choices = kindOf(schema) === 'boolean' ? ['true', 'false'] : schema.enum
  const descriptionId = `${name}-description`
  // The `id` of a body is the user's own id.
  const label = plainName(name === 'id' ? 'external_id' : name)
  const control = {
    id: name,
    name,
    // Not `required`, with which the browser reports one error at a time. The service reports all errors at once.
    'aria-required': required,
    'aria-describedby': descriptionId,
    'aria-invalid': errors.length > 0,
    defaultValue: fieldText(value),
  }
  return (
    <div class="field">
      <label for={name}>{`${label}${required ? ' (required)' : ''}`}</label>
      {choices && (
        <select {...control}>
          {['', ...choices].map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      )}
      {isTypedAsJson && <textarea {...control} rows={4} spellcheck={false} />}
      {!choices && !isTypedAsJson && <input {...control} autocomplete="off" />}
      <div id={descriptionId}>
        {errors.map((error) => (
          <p key={error} class="wrong">
            {error}
          </p>
        ))}
        <p class="quiet">
          <code>{name}</code>
          {` ${schema.description ?? ''}${isTypedAsJson ? ' As JSON.' : ''}`}
        </p>
      </div>
    </div>
  )
}

interface EntityFormProps {
  readonly resource: DocumentedResource
  /** The entity to change; without it, the form creates an entity. */
  readonly entity?: RecordedEntity
  readonly onSaved: (entity: RecordedEntity) => void
}

/** The form of a create or an update, made from the schema of the request. Errors are shown at their fields. */
export const EntityForm = ({ resource, entity, onSaved }: EntityFormProps) => {
  const { api } = useSession()
  const [errors, setErrors] = useState<FieldErrors>()
  const { plural, singular } = resource
  const { properties = {}, required = [] } = (entity ? resource.update : resource.create)!
  const { id, ...propertiesWithoutId } = properties
  // The id of an entity cannot be changed.
  const fields = entity ? propertiesWithoutId : properties
  const send = async (data: FormData) => {
    setErrors(undefined)
    const body = bodyFrom(fields, data, entity)
    try {
      onSaved(await (entity ? api[plural]!.update(entity.id, body) : api[plural]!.create(body)))
    } catch (error) {
      const fieldErrors = errorsByField(error, fields, body)
      setErrors(fieldErrors)
      if (!fieldErrors.isComplete) throw error
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
