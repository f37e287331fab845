import { catalogue, resourcesByName } from '../../shared/catalogue.ts'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import type { Fields } from '../../shared/contract/field.ts'
import type { Schema } from '../../shared/contract/schema.ts'

/** A row of the table: a resource, or the objects in one of its lists. */
interface Subject {
  readonly name: string
  readonly fields: Fields
  /** The schema of the object in the body of a create, if there is one. */
  readonly sent: Schema | undefined
  readonly include: Endpoint['include']
  /** The field that contains the list. */
  readonly list?: string
}

const subjects = [...resourcesByName.values()].flatMap(({ plural, fields }): Subject[] => {
  const endpoints = catalogue.filter(({ resource }) => resource.plural === plural)
  const include = Object.assign({}, ...endpoints.map((endpoint) => endpoint.include)) as Endpoint['include']
  const sent = endpoints.find(({ operation }) => operation === 'create')?.body
  const found: Subject[] = [{ name: plural, fields, sent, include }]
  for (const [list, { items }] of Object.entries(fields)) {
    if (!items) continue
    const name = `${plural}: \`${list}\``
    found.push({ name, fields: items.fields, sent: sent?.properties[list]?.items, include, list })
  }
  return found
})

const tableRow = ({ name, fields, sent, include, list }: Subject): string => {
  const shown = (field: string) => (sent?.required?.includes(field) ? `**\`${field}\`**` : `\`${field}\``)
  const includeOf = (field: string) =>
    Object.entries(include).find(([, how]) => {
      if (how.from === 'listed') return how.list === list && how.field === field
      return list === undefined && (how.from === 'field' || how.from === 'reference') && how.field === field
    })?.[0]
  const returned: string[] = list ? [] : [shown('id')]
  const included: string[] = []
  const never: string[] = []
  for (const [field, { visible }] of Object.entries(fields)) {
    const includeName = includeOf(field)
    if (visible) returned.push(shown(field))
    else if (includeName)
      included.push(includeName === field ? shown(field) : `${shown(field)}, as \`${includeName}\``)
    // A field that no create accepts is internal.
    else if (sent) never.push(shown(field))
  }
  const cells = [name, returned.join(', '), included.join(', '), never.join(', ')]
  const row = `| ${cells.join(' | ')} |`
  // An empty cell is a single space.
  return row.replaceAll('  ', ' ')
}

const HEADER = `| resource | returned | only by \`include\` | never returned |
| --- | --- | --- | --- |
`

/** Returns a document with the current table of the fields of resources. Throws Error if it has no header of the table. */
export const withFieldsTable = (document: string): string => {
  const [before, after] = document.split(HEADER)
  if (after === undefined) throw new Error('The document must have the header of the table of fields')
  return `${before}${HEADER}${subjects.map(tableRow).join('\n')}${after.slice(after.indexOf('\n\n'))}`
}
