import { catalogue, resources } from '../../shared/catalogue.ts'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import type { Fields } from '../../shared/contract/field.ts'
import type { Schema } from '../../shared/contract/schema.ts'

/** A resource, or what its lists hold. */
interface Shape {
  readonly name: string
  readonly fields: Fields
  /** The schema of the object that a create takes, if there is one. */
  readonly sent: Schema | undefined
  readonly include: Endpoint['include']
  /** The field whose listed objects this describes. */
  readonly list?: string
}

const shapes = [...resources.values()].flatMap(({ plural, fields }): Shape[] => {
  const endpoints = catalogue.filter(({ resource }) => resource.plural === plural)
  const include = Object.assign({}, ...endpoints.map((endpoint) => endpoint.include)) as Endpoint['include']
  const sent = endpoints.find(({ operation }) => operation === 'create')?.body
  const lists = Object.entries(fields).flatMap(([list, { items }]): Shape[] =>
    items
      ? [
          {
            name: `${plural}: \`${list}\``,
            fields: items.fields,
            sent: sent?.properties[list]?.items,
            include,
            list,
          },
        ]
      : [],
  )
  return [{ name: plural, fields, sent, include }, ...lists]
})

const rowOf = ({ name, fields, sent, include, list }: Shape): string => {
  const shown = (field: string) => (sent?.required?.includes(field) ? `**\`${field}\`**` : `\`${field}\``)
  const includeOf = (field: string) =>
    Object.entries(include).find(([, how]) => {
      if (how.from === 'listed') return how.list === list && how.field === field
      return list === undefined && (how.from === 'field' || how.from === 'reference') && how.field === field
    })?.[0]
  const [returned, included, never]: [string[], string[], string[]] = [list ? [] : [shown('id')], [], []]
  for (const [field, { visible }] of Object.entries(fields)) {
    const by = includeOf(field)
    if (visible) returned.push(shown(field))
    else if (by) included.push(by === field ? shown(field) : `${shown(field)}, as \`${by}\``)
    // What no create takes is kept for the service itself.
    else if (sent) never.push(shown(field))
  }
  return `| ${[name, ...[returned, included, never].map((cell) => cell.join(', '))].join(' | ')} |`.replaceAll(
    '  ',
    ' ',
  )
}

const HEADER = `| resource | returned | only by \`include\` | never returned |
| --- | --- | --- | --- |
`

/** Returns the README with the table that says which fields each resource has and where they come back. Throws Error without its header. */
export const withFieldsTable = (readme: string): string => {
  const [before, after] = readme.split(HEADER)
  if (after === undefined) throw new Error('The README must have the header of the table of fields')
  return `${before}${HEADER}${shapes.map(rowOf).join('\n')}${after.slice(after.indexOf('\n\n'))}`
}
