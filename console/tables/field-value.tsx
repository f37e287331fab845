import { linkTo } from '../frame/address.ts'
import { type FieldSchema, kindOf } from '../frame/contract.ts'
import { useSession } from '../frame/session.ts'
import { useTimeZone } from '../frame/time-zone.ts'
import type { RecordedEntity } from '../records/entities.ts'
import { entityLabel } from '../records/entity-text.ts'
import { time } from '../text/dates.ts'
import { beginning, money, number } from '../text/format.ts'

/** The label of an entity, as a link if the entity has a page. */
const EntityLink = ({ entity }: { readonly entity: RecordedEntity }) => {
  const { resources } = useSession()
  const resource = resources.find(({ idPattern }) => idPattern.test(entity.id))
  const label = entityLabel(entity)
  const text = label === entity.id ? <code>{label}</code> : <bdi>{beginning(label, 80)}</bdi>
  return resource ? <a href={linkTo([resource.plural, entity.id])}>{text}</a> : text
}

interface FieldValueProps {
  readonly value: unknown
  readonly schema: FieldSchema | undefined
  /** The currency of the record, for its amounts. */
  readonly currency: unknown
  readonly maxCharacters?: number
}

interface ArrayValueProps {
  readonly values: readonly unknown[]
  readonly schema: FieldSchema
}

/** A list of entities as links, or the length of any other list. */
const ArrayValue = ({ values, schema }: ArrayValueProps) => {
  const { resources } = useSession()
  const idPattern = schema.items?.properties?.id?.pattern
  const areEntities = resources.some(({ fields }) => fields.id?.pattern === idPattern)
  if (!areEntities) return <>{number(values.length)}</>
  if (values.length === 0) return <span class="quiet">none</span>
  return (values as readonly RecordedEntity[]).map((entity, index) => [
    index > 0 && ', ',
    <EntityLink key={entity.id} entity={entity} />,
  ])
}

/**
 * The value of a field for people: amounts with their currency, times in the time zone of the page, ids and entities as links.
 */
export const FieldValue = ({ value, schema = {}, currency, maxCharacters = 500 }: FieldValueProps) => {
  const { resources } = useSession()
  const timeZone = useTimeZone()
  if (value === null || value === undefined || value === '') return <span class="quiet">–</span>
  if (Array.isArray(value)) return <ArrayValue values={value} schema={schema} />
  if (schema.properties?.id) return <EntityLink entity={value as RecordedEntity} />
  if (typeof value === 'object') return <code>{beginning(JSON.stringify(value), maxCharacters)}</code>
  if (typeof value === 'boolean') return <>{value ? 'yes' : 'no'}</>
  if (typeof value === 'number') {
    const kind = kindOf(schema)
    if (kind === 'money') return <>{money(value, currency as string | null)}</>
    return <>{kind === 'time' ? time(value, timeZone) : number(value)}</>
  }
  const text = String(value)
  const isId = resources.some(({ idPattern }) => idPattern.test(text))
  return isId ? <EntityLink entity={{ id: text }} /> : <bdi>{beginning(text, maxCharacters)}</bdi>
}
