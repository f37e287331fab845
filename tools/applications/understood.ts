/** Whether each attribute of an object of this type is required. */
export type Attributes<T> = { readonly [Name in keyof T]-?: undefined extends T[Name] ? false : true }

/** Whether each known attribute of an object is required, by name. */
type Known = Readonly<Record<string, boolean>>

/** Describes the attributes of an object that are missing or unknown. */
const misfitsOf = (
  read: object,
  known: Known,
  nested: Readonly<Record<string, Known>>,
  path = '',
): string[] => {
  const missing = Object.keys(known).filter((name) => known[name] && !Object.hasOwn(read, name))
  return [
    ...missing.map((name) => `no "${path}${name}"`),
    ...Object.entries(read).flatMap(([name, value]) => {
      if (!Object.hasOwn(known, name)) return `an unknown "${path}${name}"`
      const inner = value !== null && typeof value === 'object' ? nested[name] : undefined
      return inner ? misfitsOf(value, inner, nested, `${path}${name}.`) : []
    }),
  ]
}

/**
 * Throws Error if an item, described by `what`, does not have exactly the known attributes. `nested` are those of the
 * objects in it, by the names of their attributes. A command that goes on would lose or keep what it does not know.
 */
export const requireUnderstood = (
  what: string,
  item: object,
  known: Known,
  nested: Readonly<Record<string, Known>>,
): void => {
  const [misfit] = misfitsOf(item, known, nested)
  if (misfit === undefined) return
  throw new Error(`${what} has ${misfit}: another version wrote it; use the commands of that version`)
}
