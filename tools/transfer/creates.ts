import { catalogue } from '../../shared/catalogue.ts'
import { createMayUpdate, type Endpoint } from '../../shared/contract/endpoint.ts'
import { referencesOf } from '../../shared/contract/references.ts'

/** The create endpoints by resource. Subscriptions have none: they are derived from invoices. */
export const creates: ReadonlyMap<string, Endpoint> = new Map(
  catalogue
    .filter(({ operation }) => operation === 'create')
    .map((endpoint) => [endpoint.resource.name, endpoint] as const),
)

/** Returns whether a create of this resource can update a recorded entity. */
export const isUpdatable = (type: string | null): boolean => {
  const endpoint = creates.get(type ?? '')
  return endpoint !== undefined && createMayUpdate(endpoint)
}

const passAfterReferences = (type: string): number => {
  const { fields = {} } = creates.get(type)?.resource ?? {}
  const targets = referencesOf(fields).map(({ reference }) => reference.target)
  return Math.max(-1, ...targets.filter((name) => creates.has(name)).map(passAfterReferences)) + 1
}

const passes = new Map([...creates.keys()].map((type) => [type, passAfterReferences(type)]))

/** Returns the zero-based pass in which the rows of a resource are sent: after the resources that it refers to. */
export const passOf = (type: string): number => passes.get(type) ?? 0

/** The number of passes of an import. */
export const PASSES = Math.max(...passes.values()) + 1
