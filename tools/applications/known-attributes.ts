/** The attributes of an object of this type, and whether each is required. */
export type Attributes<T> = { readonly [Name in keyof T]-?: undefined extends T[Name] ? false : true }

/** The known attributes of an object by name, and whether each is required. */
type KnownAttributes = Readonly<Record<string, boolean>>

/** Returns how an object first differs from the known attributes: a missing or an unknown name. Undefined if it does not. */
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
 * Throws Error unless an item has exactly the known attributes. `nested` has the known attributes of the objects in it, by the name of
 * the attribute that contains the object. `description` is the item in the message. A command could lose or overlook attributes that
 * it does not know.
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
