import fc from 'fast-check'
import { optional, storedContent } from '../../shared/contract/field.ts'
import { flag, metadata, objectList } from '../../shared/contract/fields.ts'
import { references } from '../../shared/contract/identifiers.ts'
import { defineResource } from '../../shared/contract/resource.ts'
import { differences, packedContent } from '../../shared/store/items.ts'
import { type Stamps, stampAfter, stampsAfter, wasExecuted } from '../../shared/store/stamps.ts'
import { range } from '../support/range.ts'

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

const stampAt = (millis: number, newest = ''): string => stampAfter(newest, millis * 1_000)

/** Of an item that processes have written whose clocks showed these times, in order. */
const lastStamp = (moments: readonly number[]): string | undefined =>
  moments.reduce<string | undefined>((newest, millis) => stampAt(millis, newest), undefined)

const now = Date.now()
/** Up to ten minutes wrong. */
const clockTimes = fc.integer({ min: now - 600_000, max: now + 600_000 })
const manyClockTimes = fc.array(clockTimes, { maxLength: 20 })

it('a stamp is greater than the newest stamp, even if that comes from a clock ahead of ours', () => {
  fc.assert(
    fc.property(manyClockTimes, clockTimes, (before, time) => {
      const newest = lastStamp(before)
      expect(stampAt(time, newest) > (newest ?? '')).toBe(true)
    }),
  )
})

it('a stamp is greater than every stamp that an earlier write could have after the same newest stamp', () => {
  fc.assert(
    fc.property(manyClockTimes, clockTimes, clockTimes, (before, one, other) => {
      const newest = lastStamp(before)
      const early = Math.min(one, other)
      const late = Math.max(one, other) + 1
      expect(stampAt(early, newest) < stampAt(late, newest)).toBe(true)
    }),
  )
})

it('a stamp after that of a clock ahead of ours has twice the length, until our clock has passed that stamp', () => {
  const { length } = stampAt(now)
  const ahead = stampAt(now + 600_000)
  const second = stampAt(now + 1, ahead)
  const third = stampAt(now + 2, second)
  const afterCatchingUp = stampAt(now + 600_001, third)
  expect(second).toHaveLength(2 * length)
  expect(third).toHaveLength(2 * length)
  expect(afterCatchingUp).toHaveLength(length)
})

it.each([
  [0, true],
  [1, true],
  [2, true],
  [3, true],
  [4, undefined],
])('after %i later writes of an item, it is %s that a write was executed', (laterWrites, executed) => {
  const write = (item: Stamps) => stampsAfter(item, stampAt(now, item.stamp))
  const written = write(write({}))
  const refused = stampAt(now, written.stamp)
  const item = range(laterWrites).reduce(write, written)
  expect(wasExecuted(written.stamp!, item)).toBe(executed)
  if (laterWrites <= 2) expect(wasExecuted(refused, item)).toBe(false)
})
