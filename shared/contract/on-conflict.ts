import { about } from './about.ts'
import { descriptiveFieldNames } from './field.ts'
import { oneOf } from './fields.ts'
import type { Resource } from './resource.ts'

export const onConflictOption = (description: string) => ({
  ...oneOf('OnConflict', ['update'], about(description)),
  updates: true as const,
})

/** The option `on_conflict` of a create that can change only the descriptive fields of an entity. */
export const onConflictDescriptiveOption = ({ name, fields }: Pick<Resource, 'name' | 'fields'>) => {
  const fieldNames = descriptiveFieldNames(fields)
    .map((field) => `\`${field}\``)
    .join(', ')
  return onConflictOption(
    `\`update\` gives an existing ${name} the ${fieldNames} of this create. A difference in any other field still returns \`409\`. Equal
values write nothing. The header \`create-outcome\` is \`created\`, \`updated\` or \`unchanged\`.`,
  )
}
