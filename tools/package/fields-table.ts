import { catalogue, resourcesByName } from '../../shared/catalogue.ts'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import type { Fields } from '../../shared/contract/field.ts'
import type { Resource } from '../../shared/contract/resource.ts'
import type { Schema } from '../../shared/contract/schema.ts'

/** A resource, or the objects in one of its lists. */
interface TableRow {
  readonly name: string
  readonly fields: Fields
  /** Of a create. */
  readonly bodySchema: Schema | undefined
  readonly includes: Endpoint['include']
  readonly list?: string
}

/** One for the fields, and one for each field that is a list of objects. */
const rowsOf = ({ plural, fields }: Resource): TableRow[] => {
  const endpoints = catalogue.filter(({ resource }) => resource.plural === plural)
  const includes: Endpoint['include'] = Object.assign({}, ...endpoints.map(({ include }) => include))
  const bodySchema = endpoints.find(({ operation }) => operation === 'create')?.body
  const rows: TableRow[] = [{ name: plural, fields, bodySchema, includes }]
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

/** The include that embeds the entity which a field refers to. */
const includeFor = (field: string, { includes, list }: TableRow): string | undefined => {
  const entry = Object.entries(includes).find(([, { path }]) => path?.field === field && path.within === list)
  return entry?.[0]
}

/** Required fields are bold. */
const markdownRow = (row: TableRow): string => {
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

/** Throws Error if the document has no header of the table. */
export const withFieldsTable = (document: string): string => {
  const [before, after] = document.split(HEADER)
  if (after === undefined) throw new Error('The document must have the header of the table of fields')
  const rows = [...resourcesByName.values()].flatMap(rowsOf).map(markdownRow)
  return `${before}${HEADER}${rows.join('\n')}${after.slice(after.indexOf('\n\n'))}`
}
