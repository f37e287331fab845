import { about } from './about.ts'
import { descriptiveNames } from './field.ts'
import { oneOf } from './fields.ts'
import type { Resource } from './resource.ts'

/** Returns the option `on_conflict` of a create, with the text that documents it. */
export const onConflict = (description: string) => ({
  ...oneOf('OnConflict', ['update'], about(description)),
  updates: true as const,
})

/** Returns the option `on_conflict` of a create that can change only the descriptive fields of an entity. */
export const onConflictDescribe = ({ name, fields }: Pick<Resource, 'name' | 'fields'>) => {
  const named = descriptiveNames(fields)
    .map((field) => `\`${field}\``)
    .join(', ')
  return onConflict(
    `\`update\` gives an existing ${name} the ${named} of this create. A difference in any other field still returns \`409\`. Equal
values write nothing. The header \`create-outcome\` is \`created\`, \`updated\` or \`unchanged\`.`,
  )
}
