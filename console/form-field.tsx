import { kindOf, type Schema } from './contract.ts'
import { textOf } from './form-values.ts'
import { words } from './format.ts'

interface FormFieldProps {
  readonly name: string
  readonly schema: Schema
  readonly required: boolean
  readonly value: unknown
  readonly errors: readonly string[]
}

/** A field of a form, with what it means and what is wrong with it. */
export const FormField = ({ name, schema, required, value, errors }: FormFieldProps) => {
  const choices = [schema.type].flat().includes('boolean') ? ['true', 'false'] : schema.enum
  const text = textOf(value)
  const described = `${name}-about`
  const control = {
    ...{ id: name, name, required, 'aria-describedby': described, 'aria-invalid': errors.length > 0 },
  }
  const isLong = ['object', 'list'].includes(kindOf(schema))
  return (
    <div class="field">
      <label for={name}>{`${words(name)}${required ? ' (required)' : ''}`}</label>
      {choices ? (
        <select {...control} defaultValue={text}>
          {['', ...choices].map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : isLong ? (
        <textarea {...control} rows={4} spellcheck={false} defaultValue={text} />
      ) : (
        <input {...control} autocomplete="off" defaultValue={text} />
      )}
      <div id={described}>
        {errors.map((error) => (
          <p key={error} class="field-error">
            {error}
          </p>
        ))}
        <p class="quiet">{`${schema.description ?? ''}${isLong ? ' As JSON.' : ''}`}</p>
      </div>
    </div>
  )
}
