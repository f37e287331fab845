import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { transformSync } from 'esbuild'
import { metadata } from '../../shared/contract/fields.ts'
import { objectSchema, when } from '../../shared/contract/schema.ts'
import { generatedFiles } from '../../tools/package/generated-files.ts'
import { launcher } from '../../tools/package/launcher.ts'
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

const source = launcher('billing-data-api', './program.cjs')

/** Returns the modules that it loads and the lines that it prints. */
const runOn = (node: string) => {
  const loaded: string[] = []
  const errors: string[] = []
  const process = { versions: { node }, exitCode: 0 }
  const console = { error: (line: string) => errors.push(line) }
  runInNewContext(source, { process, console, require: (module: string) => loaded.push(module) })
  return { loaded, errors, exitCode: process.exitCode }
}

describe("the package's executable", () => {
  it.each(['22.2.0', '22.10.1', '23.0.0', '100.0.0'])('runs the program on Node %s', (node) => {
    expect(runOn(node)).toEqual({ loaded: ['./program.cjs'], errors: [], exitCode: 0 })
  })

  it.each(['0.10.48', '4.9.1', '20.15.0', '22.1.9'])('refuses Node %s in one line', (node) => {
    const errors = [`billing-data-api needs Node 22.2 or newer (this is Node ${node})`]
    expect(runOn(node)).toEqual({ loaded: [], errors, exitCode: 1 })
  })

  it('contains only ES5, so that every Node can run it', () => {
    const transformed = (target: string) => transformSync(source, { target }).code
    expect(transformed('es5')).toBe(transformed('esnext'))
  })
})
