import { catalogue, resourcesByName } from '../../shared/catalogue.ts'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import type { Fields } from '../../shared/contract/field.ts'
import type { Resource } from '../../shared/contract/resource.ts'
import type { Schema } from '../../shared/contract/schema.ts'

/** A row of the table. It describes a resource, or the objects in one of its lists. */
interface Row {
  readonly name: string
  readonly fields: Fields
  /** The schema of the object in the body of a create, if there is one. */
  readonly bodySchema: Schema | undefined
  /** All includes of the resource. */
  readonly includes: Endpoint['include']
  /** The field that contains the list. */
  readonly list?: string
}

/** Returns the rows of a resource: one for its fields, and one for each field that is a list of objects. */
const rowsOf = ({ plural, fields }: Resource): Row[] => {
  const endpoints = catalogue.filter(({ resource }) => resource.plural === plural)
  const includes: Endpoint['include'] = Object.assign({}, ...endpoints.map(({ include }) => include))
  const bodySchema = endpoints.find(({ operation }) => operation === 'create')?.body
  const rows: Row[] = [{ name: plural, fields, bodySchema, includes }]
  for (const [list, { items }] of Object.entries(fields)) {
    if (!items) continue
    const name = `${plural}: \`${list}\``
    rows.push({
      name,
      fields: items.fields,
      bodySchema: bodySchema?.properties[list]?.items,
      includes,
      list,
    })
  }
  return rows
}

/** Returns the name of the include that embeds the entity which a field refers to; undefined if there is none. */
const includeFor = (field: string, { includes, list }: Row): string | undefined => {
  for (const [name, include] of Object.entries(includes)) {
    if (include.from === 'listed' && include.list === list && include.field === field) return name
    const isOfResource = include.from === 'field' || include.from === 'reference'
    if (list === undefined && isOfResource && include.field === field) return name
  }
  return undefined
}

/** Returns a row as Markdown, with required fields in bold. */
const markdownRow = (row: Row): string => {
  const { name, fields, bodySchema, list } = row
  const code = (field: string) =>
    bodySchema?.required?.includes(field) ? `**\`${field}\`**` : `\`${field}\``
  const returned: string[] = list ? [] : [code('id')]
  const included: string[] = []
  const neverReturned: string[] = []
  for (const [field, { visible }] of Object.entries(fields)) {
    const include = includeFor(field, row)
    if (visible) returned.push(code(field))
    else if (include !== undefined)
      included.push(include === field ? code(field) : `${code(field)}, as \`${include}\``)
    // A field that no create accepts is internal.
    else if (bodySchema) neverReturned.push(code(field))
  }
  const cells = [name, returned.join(', '), included.join(', '), neverReturned.join(', ')]
  // An empty cell is a single space.
  return `| ${cells.join(' | ')} |`.replaceAll('  ', ' ')
}

const HEADER = `| resource | returned | only by \`include\` | never returned |
| --- | --- | --- | --- |
`

/** Returns a document with the current table of the fields of resources. Throws Error if it has no header of the table. */
export const withFieldsTable = (document: string): string => {
  const [before, after] = document.split(HEADER)
  if (after === undefined) throw new Error('The document must have the header of the table of fields')
  const rows = [...resourcesByName.values()].flatMap(rowsOf).map(markdownRow)
  return `${before}${HEADER}${rows.join('\n')}${after.slice(after.indexOf('\n\n'))}`
}
