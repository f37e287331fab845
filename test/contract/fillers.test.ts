import { nullForFillers, optional } from '../../shared/contract/field.ts'
import { metadata, timestamp } from '../../shared/contract/fields.ts'

const map = metadata(undefined)
const date = timestamp(undefined)
const fields = { map, optional_map: optional(map, {}), date, optional_date: optional(date) }

it('takes an empty text or list as absent in optional fields only', () => {
  const body = { map: [], optional_map: [], date: '', optional_date: '' }
  expect(nullForFillers(fields, body)).toEqual({ map: [], optional_map: null, date: '', optional_date: null })
})
