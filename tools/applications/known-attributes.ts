/** Whether each attribute of an object of this type is required. */
export type Attributes<T> = { readonly [Name in keyof T]-?: undefined extends T[Name] ? false : true }

/** Whether each known attribute of an object is required, by name. */
type Known = Readonly<Record<string, boolean>>

const differencesIn = (
  object: object,
  known: Known,
  nested: Readonly<Record<string, Known>>,
  path = '',
): string[] => {
  const missing = Object.keys(known).filter((name) => known[name] && !Object.hasOwn(object, name))
  return [
    ...missing.map((name) => `no "${path}${name}"`),
    ...Object.entries(object).flatMap(([name, value]) => {
      if (!Object.hasOwn(known, name)) return `an unknown "${path}${name}"`
      const inner = value !== null && typeof value === 'object' ? nested[name] : undefined
      return inner ? differencesIn(value, inner, nested, `${path}${name}.`) : []
    }),
  ]
}

/**
 * Throws Error if an item, described by `what`, does not have exactly the known attributes. `nested` has the attributes of the objects
 * in it, by the names of their attributes. A command could lose or overlook attributes that it does not know.
 */
export const requireKnownAttributes = (
  what: string,
  item: object,
  known: Known,
  nested: Readonly<Record<string, Known>>,
): void => {
  const [difference] = differencesIn(item, known, nested)
  if (difference === undefined) return
  throw new Error(`${what} has ${difference}: another version wrote it; use the commands of that version`)
}
