import type { Endpoint } from '../contract/endpoint.ts'
import type { Schema } from '../contract/schema.ts'
import { type ApiError, errorKinds } from '../errors.ts'

const MAX_CHARACTERS = 80
/** Replaces a name that the contract does not define, which may be anything. */
const UNKNOWN = '(unknown)'

/** Adds the names of a schema's fields to `names`. */
const collect = ({ properties = {}, items }: Schema, names: Set<string>): Set<string> => {
  for (const [name, property] of Object.entries(properties)) collect(property, names.add(name))
  return items ? collect(items, names) : names
}

/** Returns a path up to its first name that is not in `known`. */
const knownPart = (path: string, known: ReadonlySet<string>): string => {
  const segments: string[] = []
  for (const segment of path.split('.')) {
    const [part = '', name = ''] = /^([^[]*)(?:\[\d+\])*/.exec(segment) ?? []
    if (!known.has(name)) return [...segments, UNKNOWN].join('.')
    segments.push(part)
    if (part !== segment) return [...segments, UNKNOWN].join('.')
  }
  return segments.join('.')
}

/**
 * Returns the log fields of a 4xx; undefined for other errors. `fields` are the invalid fields, if any, such as
 * `name, line_items[2].currency`. The details of validation errors begin with their fields.
 * Only names of the contract are logged, because values and keys that the client chose may be personal data.
 */
export const refusalLogFields = (endpoint: Endpoint, { kind, details }: ApiError) => {
  if (errorKinds[kind].status >= 500) return undefined
  if (kind !== 'invalid' && kind !== 'conflict') return { kind }
  const contractNames = collect(endpoint.body ?? {}, new Set(['id', 'body']))
  for (const { name } of endpoint.parameters) contractNames.add(name)
  const paths = new Set(details.map((detail) => knownPart(detail.split(' ')[0]!, contractNames)))
  const fields = [...paths].join(', ')
  return { kind, fields: fields.length > MAX_CHARACTERS ? `${fields.slice(0, MAX_CHARACTERS)}…` : fields }
}
