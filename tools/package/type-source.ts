import type { ObjectSchema, Schema } from '../../shared/contract/schema.ts'
import { capitalised } from '../../shared/text/capitalised.ts'

/** Requests and responses differ. */
export interface Side {
  readonly prefix: string
  readonly furtherValues: string
  readonly arrayModifier: string
}
export const response: Side = { prefix: '', furtherValues: ' | (string & {})', arrayModifier: '' }
export const request: Side = { prefix: 'Create', furtherValues: '', arrayModifier: 'readonly ' }

/** Not plain JSON types. */
const componentTypes: Readonly<Record<string, string>> = {
  Metadata: 'Metadata',
  BillingDate: 'string | Date',
}

const primitiveTypes: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
  object: '{ [key: string]: unknown }',
}

export const isObject = (schema: Schema): schema is ObjectSchema => schema.properties !== undefined

const jsonTypes = (schema: Schema): readonly string[] => [schema.type ?? []].flat()

const isNullable = (schema: Schema): boolean => jsonTypes(schema).includes('null')

/** At any depth. */
const contains = (schema: Schema, component: RegExp): boolean =>
  component.test((schema.component as string | undefined) ?? '') ||
  Object.values(schema.properties ?? {}).some((property) => contains(property, component)) ||
  (schema.items !== undefined && contains(schema.items, component))

/** Without null. */
export const unionOf = (values: readonly unknown[]): string =>
  values
    .filter((value) => value !== null)
    .map((value) => `'${value}'`)
    .join(' | ')

interface TypeParameter {
  readonly name: 'Metadata' | 'Ids'
  readonly bounds: string
}

/** For metadata, and for the ids that are added to embedded entities. */
const typeParameters = (schema: Schema): TypeParameter[] => {
  const parameters: TypeParameter[] = []
  if (contains(schema, /^Metadata$/))
    parameters.push({ name: 'Metadata', bounds: ' extends object = AnyMetadata' })
  if (contains(schema, /^Embedded/)) parameters.push({ name: 'Ids', bounds: ' = Partial<WithExternalId>' })
  return parameters
}

const inBrackets = (texts: readonly string[]): string => (texts.length > 0 ? `<${texts.join(', ')}>` : '')

const withParameters = (name: string, schema: Schema): string =>
  name + inBrackets(typeParameters(schema).map((parameter) => parameter.name + parameter.bounds))

export const withArguments = (name: string, schema: Schema, ids = 'Ids'): string =>
  name +
  inBrackets(typeParameters(schema).map((parameter) => (parameter.name === 'Ids' ? ids : parameter.name)))

/** The name of its interface, intersected with the embedded properties. */
export const objectType = (side: Side, schema: Schema): string => {
  const { component, properties = {} } = schema
  const [, entity] = /^Embedded(\w+?)(?:With\w+)?$/.exec(component as string) ?? []
  if (!entity) return side.prefix + (component as string).replace(/Request$/, '')
  const embedded = Object.entries(properties).filter(([, property]) => isObject(property))
  const fields = Object.entries(properties).filter(([, property]) => !isObject(property))
  const type = `${withArguments(entity, { properties: Object.fromEntries(fields) })} & Ids`
  if (embedded.length === 0) return type
  const members = embedded.map(([name, property]) => `${name}: ${objectType(side, property)}`)
  return `${type} & { ${members.join('; ')} }`
}

const arrayType = (side: Side, items: Schema): string => {
  const type = typeOf(side, items)
  return `${side.arrayModifier}${type.includes(' ') ? `(${type})` : type}[]`
}

const typeWithoutNull = (side: Side, schema: Schema): string => {
  if (schema.enum) return `${schema.component}${side.furtherValues}`
  if (isObject(schema)) return objectType(side, schema)
  const component = componentTypes[schema.component as string]
  if (component) return component
  const types = jsonTypes(schema)
    .filter((type) => type !== 'null')
    .map((type) => (type === 'array' ? arrayType(side, schema.items ?? {}) : primitiveTypes[type]))
  return types.join(' | ')
}

const typeOf = (side: Side, schema: Schema): string => {
  const type = typeWithoutNull(side, schema)
  if (!isNullable(schema)) return type
  return type === '' ? 'null' : `${type} | null`
}

/** With the description and, for plain values, what the property accepts. */
const propertyComment = (schema: Schema): string => {
  const { description, expects } = schema
  const sentences = description ? [description] : []
  if (!isObject(schema) && expects) sentences.push(`${capitalised(expects)}.`)
  return sentences.length > 0 ? `  /** ${sentences.join(' ')} */\n` : ''
}

/** `example` is the code of an example with a type of this name. */
export interface TypeDescription {
  readonly name: string
  readonly about: string
  readonly example: (name: string) => string
}

const typeComment = ({ name, about, example }: TypeDescription): string =>
  `/** ${about} @example ${example(name)} */\n`

/** An optional property may also be undefined. */
export const interfaceOf = (side: Side, description: TypeDescription, schema: ObjectSchema): string => {
  const members = Object.entries(schema.properties).map(([name, property]) => {
    const isRequired = schema.required.includes(name)
    const plainType = typeOf(side, property)
    const type = property.within ? `Within<'${property.within}', ${plainType}>` : plainType
    const key = /^\w+$/.test(name) ? name : `'${name}'`
    const member = isRequired ? `${key}: ${type}` : `${key}?: ${type} | undefined`
    return `${propertyComment(property)}  ${member}\n`
  })
  return `${typeComment(description)}export interface ${withParameters(description.name, schema)} {\n${members.join('')}}\n`
}

/** `field` with the values of the rule, and the fields that the rule requires or forbids. */
const ruleType = (field: string, { properties }: ObjectSchema, { if: condition, then }: Schema): string => {
  const absentProperty = (name: string) => `${name}?: null | undefined`
  const presentProperty = (name: string) => `${name}: ${typeWithoutNull(request, properties[name] ?? {})}`
  const tested = () => {
    const { enum: values, type } = condition?.properties?.[field] ?? {}
    if (values) return `${field}: ${unionOf(values)}`
    return type === 'null' ? absentProperty(field) : presentProperty(field)
  }
  const consequences = Object.keys(then?.properties ?? {}).map((name) =>
    then?.required?.includes(name) ? presentProperty(name) : absentProperty(name),
  )
  return `{ ${[tested(), ...consequences].join('; ')} }`
}

/** The fields, intersected with a union for the rules on each field. */
export const bodyType = (description: TypeDescription, schema: ObjectSchema): string => {
  const rulesByField = Map.groupBy(
    schema.allOf ?? [],
    (rule) => Object.keys(rule.if?.properties ?? {})[0] as string,
  )
  if (rulesByField.size === 0) return interfaceOf(request, description, schema)
  const { name } = description
  const fields = { ...description, name: `${name}Fields`, about: `The fields of ${name}.` }
  const unions = [...rulesByField].map(([field, rules]) => {
    const cases = rules.map((rule) => `    | ${ruleType(field, schema, rule)}\n`)
    return `  & (\n${cases.join('')}  )\n`
  })
  return `${interfaceOf(request, fields, schema)}
${typeComment(description)}export type ${withParameters(name, schema)} = ${withArguments(`${name}Fields`, schema)}
${unions.join('')}`
}
