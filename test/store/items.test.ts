import { optional, storedContent } from '../../shared/contract/field.ts'
import { flag, metadata, objectList } from '../../shared/contract/fields.ts'
import { references } from '../../shared/contract/identifiers.ts'
import { defineResource } from '../../shared/contract/resource.ts'
import { differences, packedContent } from '../../shared/store/items.ts'

const list = objectList({ name: 'Part', fields: { spare: optional(flag(undefined)) } }, 10, undefined)
const map = metadata(undefined)
const ids = references('price', 10, undefined)

const thing = defineResource({
  name: 'thing',
  plural: 'things',
  prefix: 'thi',
  about: undefined,
  fields: {
    list,
    ...{ list_or_null: optional(list), list_or_empty: optional(list, []) },
    ...{ map_or_null: optional(map), map_or_empty: optional(map, {}), map_or_some: optional(map, { a: 1 }) },
    ...{ ids_or_null: optional(ids), ids_or_empty: optional(ids, []) },
  },
})
const names = Object.keys(thing.fields)

it.each([
  ['leaves out its optional lists and maps', { list: [] }],
  ['sends null for them', { list: [], ...Object.fromEntries(names.slice(1).map((name) => [name, null])) }],
  ['sends empty ones', Object.fromEntries(names.map((name) => [name, name.startsWith('map') ? {} : []]))],
  [
    'sends some',
    {
      ...{ list: [{ spare: true }], list_or_null: [{}], list_or_empty: [{ spare: null }] },
      ...{ map_or_null: { a: {} }, map_or_empty: { a: [] }, ids_or_null: ['1'], ids_or_empty: ['1'] },
    },
  ],
])('a create that %s is stored as it is compared with a replay', (_, body) => {
  const sent = storedContent(thing.fields, body, 'thi_1')
  expect(differences(thing, sent, packedContent(thing, sent))).toEqual([])
})
