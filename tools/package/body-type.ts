import type { ObjectSchema, Schema } from '../../shared/contract/schema.ts'
import { interfaceOf, request, type Title, typeOf } from './interface.ts'

/** Returns an object type for one rule: `field` with the values of the rule, and the fields that it requires or forbids. */
const caseOf = (field: string, { properties }: ObjectSchema, { if: condition, then }: Schema): string => {
  const absent = (name: string) => `${name}?: null | undefined`
  const given = (name: string) => {
    const type = [properties[name]?.type ?? []].flat().filter((each) => each !== 'null')
    return `${name}: ${typeOf(request, { ...properties[name], type })}`
  }
  const { enum: words, type } = condition?.properties?.[field] ?? {}
  const named = words && `${field}: ${words.map((word) => `'${word}'`).join(' | ')}`
  const own = named ?? (type === 'null' ? absent(field) : given(field))
  const others = Object.keys(then?.properties ?? {}).map((name) =>
    then?.required?.includes(name) ? given(name) : absent(name),
  )
  return `{ ${[own, ...others].join('; ')} }`
}

/** Returns the type of a request body: its fields, narrowed by the rules between them. The rules on a field are a union. */
export const bodyType = (title: Title, schema: ObjectSchema): string => {
  const rules = Map.groupBy(schema.allOf ?? [], (rule) => Object.keys(rule.if?.properties ?? {})[0] as string)
  if (rules.size === 0) return interfaceOf(request, title, schema)
  const { name, about } = title
  const unions = [...rules].map(
    ([field, cases]) =>
      `  & (\n${cases.map((each) => `    | ${caseOf(field, schema, each)}\n`).join('')}  )\n`,
  )
  return `${interfaceOf(request, { name: `${name}Fields`, about: `The fields of ${name}.` }, schema)}
/** ${about} */
export type ${name} = ${name}Fields
${unions.join('')}`
}
