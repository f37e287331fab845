import { optional, storedContent } from '../../shared/contract/field.ts'
import { flag, metadata, objectList } from '../../shared/contract/fields.ts'
import { references } from '../../shared/contract/identifiers.ts'
import { defineResource } from '../../shared/contract/resource.ts'
import { differences, packedContent } from '../../shared/store/items.ts'

const partList = objectList({ name: 'Part', fields: { spare: optional(flag(undefined)) } }, 10, undefined)
const map = metadata(undefined)
const ids = references('price', 10, undefined)

/** The default values are null, empty or neither. */
const thing = defineResource({
  name: 'thing',
  plural: 'things',
  prefix: 'thi',
  about: undefined,
  fields: {
    list: partList,
    list_or_null: optional(partList),
    list_or_empty: optional(partList, []),
    map_or_null: optional(map),
    map_or_empty: optional(map, {}),
    map_or_value: optional(map, { a: 1 }),
    ids_or_null: optional(ids),
    ids_or_empty: optional(ids, []),
  },
})

it.each([
  ['omits its optional lists and maps', { list: [] }],
  [
    'sends null in its optional lists and maps',
    {
      list: [],
      list_or_null: null,
      list_or_empty: null,
      map_or_null: null,
      map_or_empty: null,
      map_or_value: null,
      ids_or_null: null,
      ids_or_empty: null,
    },
  ],
  [
    'sends empty lists and maps',
    {
      list: [],
      list_or_null: [],
      list_or_empty: [],
      map_or_null: {},
      map_or_empty: {},
      map_or_value: {},
      ids_or_null: [],
      ids_or_empty: [],
    },
  ],
  [
    'sends lists and maps with values',
    {
      list: [{ spare: true }],
      list_or_null: [{}],
      list_or_empty: [{ spare: null }],
      map_or_null: { a: {} },
      map_or_empty: { a: [] },
      ids_or_null: ['1'],
      ids_or_empty: ['1'],
    },
  ],
])('a create that %s does not differ from its stored item, so that its repetition is a replay', (_, body) => {
  const sent = storedContent(thing.fields, body, 'thi_1')
  expect(differences(thing, sent, packedContent(thing, sent))).toEqual([])
})
