import type { ObjectSchema, Schema } from '../../shared/contract/schema.ts'
import { capitalised } from '../../shared/openapi/names.ts'

/** How the types of requests and responses differ. Only responses may contain enumeration values that are not known yet. */
export interface Side {
  readonly prefix: string
  readonly open: string
  readonly list: string
}
/** How types of responses are declared. */
export const response: Side = { prefix: '', open: ' | (string & {})', list: '' }
/** How types of requests are declared. */
export const request: Side = { prefix: 'Create', open: '', list: 'readonly ' }

/** The types of components that are not plain JSON types. */
const components: Readonly<Record<string, string>> = { Metadata: 'Metadata', BillingDate: 'string | Date' }

const primitives: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
  object: '{ [key: string]: unknown }',
}

/** Returns whether a schema is that of an object with known properties. */
export const isObject = (schema: Schema): schema is ObjectSchema => schema.properties !== undefined

const contains = (schema: Schema, component: RegExp): boolean =>
  component.test((schema.component as string | undefined) ?? '') ||
  Object.values(schema.properties ?? {}).some((property) => contains(property, component)) ||
  (schema.items !== undefined && contains(schema.items, component))

/** Returns the type parameters of a schema's type: for metadata, and for the ids that are added to embedded entities. */
const parameters = (schema: Schema) => ({
  ...(contains(schema, /^Metadata$/) ? { Metadata: ' extends object = AnyMetadata' } : {}),
  ...(contains(schema, /^Embedded/) ? { Ids: ' = Partial<WithExternalId>' } : {}),
})

const inBrackets = (names: readonly string[]): string => (names.length > 0 ? `<${names.join(', ')}>` : '')

const declared = (name: string, schema: Schema): string =>
  name + inBrackets(Object.entries(parameters(schema)).map(([parameter, bounds]) => parameter + bounds))

/** Returns a type with the parameters of the type around it as arguments, or with `ids` for the ids. */
export const applied = (name: string, schema: Schema, ids = 'Ids'): string =>
  name +
  inBrackets(Object.keys(parameters(schema)).map((parameter) => (parameter === 'Ids' ? ids : parameter)))

/** Returns the type of an object: the name of its interface, intersected with what is embedded into it. */
export const nameOf = (side: Side, schema: Schema): string => {
  const { component, properties = {} } = schema
  const [, embedded] = /^Embedded(\w+?)(?:With\w+)?$/.exec(component as string) ?? []
  if (!embedded) return side.prefix + (component as string).replace(/Request$/, '')
  const inner = Object.entries(properties).filter(([, property]) => isObject(property))
  const fields = Object.entries(properties).filter(([, property]) => !isObject(property))
  const members = inner.map(([name, property]) => `${name}: ${nameOf(side, property)}`)
  const entity = `${applied(embedded, { properties: Object.fromEntries(fields) })} & Ids`
  return members.length > 0 ? `${entity} & { ${members.join('; ')} }` : entity
}

const itemType = (side: Side, items: Schema): string => {
  const type = typeOf(side, items)
  return type.includes(' ') ? `(${type})` : type
}

const typeOf = (side: Side, schema: Schema): string => {
  const types = [schema.type ?? []].flat()
  if (schema.enum) return `${schema.component}${side.open}${types.includes('null') ? ' | null' : ''}`
  if (isObject(schema)) return nameOf(side, schema) + (types.includes('null') ? ' | null' : '')
  const component = components[schema.component as string]
  if (component) return types.includes('null') ? `${component} | null` : component
  const texts = types.map((type) =>
    type === 'array' ? `${side.list}${itemType(side, schema.items ?? {})}[]` : primitives[type],
  )
  return [...new Set(texts)].join(' | ')
}

const sentence = (text: string): string => `${capitalised(text)}.`

const docOf = (schema: Schema): string => {
  const { description, expects } = schema
  const words = [description, !isObject(schema) && expects && sentence(expects)].filter(Boolean)
  return words.length > 0 ? `  /** ${words.join(' ')} */\n` : ''
}

/** The name of a type, what it is, and the code of an example with a type of this name. */
export interface Title {
  readonly name: string
  readonly about: string
  readonly example: (name: string) => string
}

const docOfType = ({ name, about, example }: Title): string => `/** ${about} @example ${example(name)} */\n`

/** Returns the declaration of an interface. An optional property may also be undefined. */
export const interfaceOf = (side: Side, title: Title, schema: ObjectSchema): string => {
  const members = Object.entries(schema.properties).map(([key, property]) => {
    const isRequired = schema.required.includes(key)
    const plain = typeOf(side, property)
    const type = property.within ? `Within<'${property.within}', ${plain}>` : plain
    const named = /^\w+$/.test(key) ? key : `'${key}'`
    return `${docOf(property)}  ${named}${isRequired ? '' : '?'}: ${type}${isRequired ? '' : ' | undefined'}\n`
  })
  return `${docOfType(title)}export interface ${declared(title.name, schema)} {\n${members.join('')}}\n`
}

/** Returns the object type of a rule: `field` with the values of the rule, and the fields that the rule requires or forbids. */
const caseOf = (field: string, { properties }: ObjectSchema, { if: condition, then }: Schema): string => {
  const absent = (name: string) => `${name}?: null | undefined`
  const given = (name: string) => {
    const type = [properties[name]?.type ?? []].flat().filter((each) => each !== 'null')
    return `${name}: ${typeOf(request, { ...properties[name], type })}`
  }
  const { enum: words, type } = condition?.properties?.[field] ?? {}
  const named = words && `${field}: ${words.map((word) => `'${word}'`).join(' | ')}`
  const tested = named ?? (type === 'null' ? absent(field) : given(field))
  const others = Object.keys(then?.properties ?? {}).map((name) =>
    then?.required?.includes(name) ? given(name) : absent(name),
  )
  return `{ ${[tested, ...others].join('; ')} }`
}

/** Returns the declaration of a request body: its fields, intersected with a union for the rules on each field. */
export const bodyType = (title: Title, schema: ObjectSchema): string => {
  const rules = Map.groupBy(schema.allOf ?? [], (rule) => Object.keys(rule.if?.properties ?? {})[0] as string)
  if (rules.size === 0) return interfaceOf(request, title, schema)
  const { name } = title
  const fields = { ...title, name: `${name}Fields`, about: `The fields of ${name}.` }
  const unions = [...rules].map(
    ([field, cases]) =>
      `  & (\n${cases.map((each) => `    | ${caseOf(field, schema, each)}\n`).join('')}  )\n`,
  )
  return `${interfaceOf(request, fields, schema)}
${docOfType(title)}export type ${declared(name, schema)} = ${applied(`${name}Fields`, schema)}
${unions.join('')}`
}
