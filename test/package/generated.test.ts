import { readFileSync } from 'node:fs'
import { metadata } from '../../shared/contract/fields.ts'
import { objectSchema, when } from '../../shared/contract/schema.ts'
import { generatedFiles } from '../../tools/package/generated-files.ts'
import { bodyType } from '../../tools/package/type-source.ts'

it.each(Object.keys(generatedFiles()))('%s matches the contract ("npm run generate" writes it)', (file) => {
  // Called within the test, since mutation testing attributes no code to a test that runs while the file
  // loads.
  expect(readFileSync(file, 'utf8')).toBe(generatedFiles()[file])
})

it('gives the type of a body with conditions a parameter for its metadata', () => {
  const title = { name: 'CreateRefund', about: 'A refund to create.', example: () => '' }
  const fields = { reason: { type: 'string' }, metadata: metadata(undefined).request } as const
  const conditions = [when('reason', ['given back'], { forbidden: ['metadata'] })]
  const schema = objectSchema(fields, ['reason'], conditions)
  const printed = bodyType(title, schema)
  expect(printed).toContain('export interface CreateRefundFields<Metadata extends object = AnyMetadata> {')
  expect(printed).toContain(
    'export type CreateRefund<Metadata extends object = AnyMetadata> = CreateRefundFields<Metadata>\n',
  )
})
