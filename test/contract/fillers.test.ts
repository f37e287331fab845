import { nullForFillers, optional } from '../../shared/contract/field.ts'
import { metadata, timestamp } from '../../shared/contract/fields.ts'

const requiredMap = metadata(undefined)
const requiredDate = timestamp(undefined)
const fields = {
  map: requiredMap,
  optional_map: optional(requiredMap, {}),
  date: requiredDate,
  optional_date: optional(requiredDate),
}

it('takes an empty text or list as absent in optional fields only', () => {
  const body = { map: [], optional_map: [], date: '', optional_date: '' }
  expect(nullForFillers(fields, body)).toEqual({ map: [], optional_map: null, date: '', optional_date: null })
})
