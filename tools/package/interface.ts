import type { ObjectSchema, Schema } from '../../shared/contract/schema.ts'

/** How types of requests and of responses differ: requests take the known enumeration values, responses may have new ones. */
export interface Side {
  readonly prefix: string
  readonly open: string
  readonly list: string
}
export const response: Side = { prefix: '', open: ' | (string & {})', list: '' }
export const request: Side = { prefix: 'Create', open: '', list: 'readonly ' }

const primitives: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
  object: '{ [key: string]: unknown }',
}

/** Returns a text that begins with a capital letter. */
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
export const isObject = (schema: Schema): schema is ObjectSchema => schema.properties !== undefined

/** The name of an object's interface: its component's, without the suffix of requests, with what it embeds. */
export const nameOf = (side: Side, { component, properties = {} }: Schema): string => {
  const [, embedded] = /^Embedded(\w+?)(?:With\w+)?$/.exec(component as string) ?? []
  const inner = Object.entries(properties).filter(([, property]) => isObject(property))
  const members = inner.map(([name, property]) => `; ${name}: ${nameOf(side, property)}`)
  if (embedded) return `${embedded} & { external_id?: string${members.join('')} }`
  return side.prefix + (component as string).replace(/Request$/, '')
}

const itemType = (side: Side, items: Schema): string => {
  const type = typeOf(side, items)
  return type.includes(' ') ? `(${type})` : type
}

export const typeOf = (side: Side, schema: Schema): string => {
  const types = [schema.type ?? []].flat()
  if (schema.enum) return `${schema.component}${side.open}${types.includes('null') ? ' | null' : ''}`
  if (isObject(schema)) return nameOf(side, schema) + (types.includes('null') ? ' | null' : '')
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

/** Prints an interface. An optional property may be undefined, which means absent. */
export const interfaceOf = (
  side: Side,
  [name, about]: readonly [string, string],
  schema: ObjectSchema,
): string => {
  const members = Object.entries(schema.properties).map(([key, property]) => {
    const isRequired = schema.required.includes(key)
    const plain = typeOf(side, property)
    const type = property.within ? `Within<'${property.within}', ${plain}>` : plain
    return `${docOf(property)}  ${key}${isRequired ? '' : '?'}: ${type}${isRequired ? '' : ' | undefined'}\n`
  })
  return `/** ${about} */\nexport interface ${name} {\n${members.join('')}}\n`
}
