/** Whether each attribute is required. */
export type AttributeRequirements<T> = {
  readonly [Name in keyof T]-?: undefined extends T[Name] ? false : true
}

type KnownAttributes = Readonly<Record<string, boolean>>

const firstDifference = (
  object: object,
  known: KnownAttributes,
  nested: Readonly<Record<string, KnownAttributes>>,
  path = '',
): string | undefined => {
  for (const [name, isRequired] of Object.entries(known))
    if (isRequired && !Object.hasOwn(object, name)) return `no "${path}${name}"`
  for (const [name, value] of Object.entries(object)) {
    if (!Object.hasOwn(known, name)) return `an unknown "${path}${name}"`
    const knownInside = nested[name]
    if (knownInside === undefined || value === null || typeof value !== 'object') continue
    const difference = firstDifference(value, knownInside, nested, `${path}${name}.`)
    if (difference !== undefined) return difference
  }
  return undefined
}

/**
 * Throws Error unless an item has exactly the known attributes: a command could lose or overlook others.
 * `nested` has those of the objects in it, by the attribute that contains the object. `description` is the
 * item in the message.
 */
export const requireKnownAttributes = (
  description: string,
  item: object,
  known: KnownAttributes,
  nested: Readonly<Record<string, KnownAttributes>>,
): void => {
  const difference = firstDifference(item, known, nested)
  if (difference === undefined) return
  throw new Error(
    `${description} has ${difference}: another version wrote it; use the commands of that version`,
  )
}
