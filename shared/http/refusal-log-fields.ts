import type { Endpoint } from '../contract/endpoint.ts'
import type { Schema } from '../contract/schema.ts'
import { type ApiError, errorKinds } from '../errors.ts'
import type { RequestLog } from '../log.ts'

const MAX_CHARACTERS = 80
/** Replaces a name that the contract does not define, which may be anything. */
const UNKNOWN = '(unknown)'

/** Adds the names of the fields of a schema, at all depths, to `names`. */
const addFieldNames = ({ properties = {}, items }: Schema, names: Set<string>): void => {
  for (const [name, property] of Object.entries(properties)) {
    names.add(name)
    addFieldNames(property, names)
  }
  if (items) addFieldNames(items, names)
}

/** The names that an error detail of an endpoint can begin with. */
const contractNames = ({ body, parameters }: Endpoint): ReadonlySet<string> => {
  const names = new Set(['id', 'body', ...parameters.map(({ name }) => name)])
  if (body) addFieldNames(body, names)
  return names
}

/** A path up to the first part that is not a name in `names` with indexes, such as `line_items[2]`. */
const loggedPath = (path: string, names: ReadonlySet<string>): string => {
  const parts: string[] = []
  for (const part of path.split('.')) {
    const [nameWithIndexes = '', name = ''] = /^([^[]*)(?:\[\d+\])*/.exec(part) ?? []
    if (!names.has(name)) return [...parts, UNKNOWN].join('.')
    parts.push(nameWithIndexes)
    if (nameWithIndexes !== part) return [...parts, UNKNOWN].join('.')
  }
  return parts.join('.')
}

/**
 * The log fields of a 4xx; undefined for other errors. `fields` are the invalid fields, if any, such as
 * `name, line_items[2].currency`. The details of validation errors begin with their fields. Only names of the
 * contract are logged, because values and keys that the client chose may be personal data.
 */
export const refusalLogFields = (
  endpoint: Endpoint,
  { kind, details }: ApiError,
): Pick<RequestLog, 'kind' | 'fields'> | undefined => {
  if (errorKinds[kind].status >= 500) return undefined
  if (kind !== 'invalid' && kind !== 'conflict') return { kind }
  const names = contractNames(endpoint)
  const paths = new Set(details.map((detail) => loggedPath(detail.split(' ')[0]!, names)))
  const fields = [...paths].join(', ')
  return { kind, fields: fields.length > MAX_CHARACTERS ? `${fields.slice(0, MAX_CHARACTERS)}…` : fields }
}
