import { linkTo } from './address.ts'
import type { Entity } from './api.ts'
import { kindOf, type Schema } from './contract.ts'
import { beginning, money, number, time } from './format.ts'
import { useSession } from './session.tsx'

/** Returns what people call an entity: their own id or its name, or else the service's id. */
export const labelOf = ({ id, name, title, external_id }: Entity): string =>
  String(name ?? title ?? external_id ?? id)

const isEntity = (value: unknown): value is Entity =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string'

/** A link to an entity that an id of the service, or an embedded entity, names. */
const EntityLink = ({ entity }: { readonly entity: Entity }) => {
  const { resources } = useSession()
  const resource = resources.find(({ idPattern }) => idPattern.test(entity.id))
  const label = labelOf(entity)
  const shown = label === entity.id ? <code>{label}</code> : <bdi>{beginning(label, 80)}</bdi>
  return resource ? <a href={linkTo([resource.plural, entity.id])}>{shown}</a> : shown
}

interface ValueProps {
  readonly value: unknown
  readonly schema: Schema
  /** The currency of amounts. */
  readonly currency?: string | null | undefined
  /** The most characters of a text to show. */
  readonly most?: number
}

/** A field's value as people read it: amounts with their currency, times in UTC, ids as links. */
export const Value = ({ value, schema, currency, most = Number.POSITIVE_INFINITY }: ValueProps) => {
  const { resources } = useSession()
  if (value === null || value === undefined || value === '') return <span class="quiet">–</span>
  if (Array.isArray(value)) {
    if (value.every(isEntity) && !schema.items?.$ref?.endsWith('LineItem'))
      return value.map((entity, index) => (
        <span key={entity.id}>
          {index > 0 && ', '}
          <EntityLink entity={entity} />
        </span>
      ))
    return <>{number(value.length)}</>
  }
  if (isEntity(value)) return <EntityLink entity={value} />
  if (typeof value === 'object') return <code>{beginning(JSON.stringify(value), most)}</code>
  if (typeof value === 'boolean') return <>{value ? 'yes' : 'no'}</>
  const kind = kindOf(schema)
  if (typeof value === 'number')
    return <>{kind === 'money' ? money(value, currency) : kind === 'time' ? time(value) : number(value)}</>
  const text = String(value)
  if (resources.some(({ idPattern }) => idPattern.test(text))) return <EntityLink entity={{ id: text }} />
  return <bdi>{beginning(text, most)}</bdi>
}
