import { createRequire } from 'node:module'
import { join } from 'node:path'
import { build } from 'esbuild'
import fc from 'fast-check'
import { bundleOptions } from '../../lib/bundle/bundle.ts'
import { generatedValidators } from '../../lib/bundle/validators.ts'
import { catalogue } from '../../shared/catalogue.ts'
import { schemaErrors } from '../../shared/http/compile.ts'
import { randomBody } from '../support/random-bodies.ts'
import { runs } from '../support/runs.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const writing = catalogue.filter(({ body }) => body)
const load = createRequire(join(process.cwd(), 'package.json'))

/** Builds the generated validators of these endpoints. */
const generated = async (endpoints: typeof writing): Promise<typeof schemaErrors> => {
  const outfile = join(temporaryFolder(), 'index.cjs')
  await build({
    ...bundleOptions,
    stdin: { contents: `export { schemaErrors } from '#validators'`, resolveDir: process.cwd() },
    outfile,
    plugins: [generatedValidators(...endpoints)],
  })
  return load(outfile).schemaErrors
}

const all = generated(writing)

/** Production runs the generated validators, and all other tests run the compiled ones. */
it.each(writing)(
  'generates a validator of $id that reports the same errors as the compiled one',
  async (endpoint) => {
    const validators = [await all, await generated([endpoint])]
    const bodies = fc.oneof(randomBody(endpoint.body!), fc.jsonValue())
    const asData = (value: unknown) => JSON.parse(JSON.stringify(value))
    fc.assert(
      fc.property(bodies, (body) => {
        const expected = asData(schemaErrors(endpoint, asData(body)))
        for (const validator of validators)
          expect(asData(validator(endpoint, asData(body)))).toEqual(expected)
      }),
      { numRuns: runs(200, 10_000) },
    )
  },
)
