import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { _ } from 'ajv/dist/compile/codegen/index.js'
import standalone from 'ajv/dist/standalone/index.js'
import type { Plugin } from 'esbuild'
import type { ObjectSchema } from '../../shared/contract/schema.ts'
import { ajvOptions, type BodySchema } from '../../shared/http/validation/schema-errors.ts'

const formatsFile = fileURLToPath(new URL('../../shared/contract/formats.ts', import.meta.url))

/** Generated code contains its whole schema, and details are composed from the schema of the endpoint. */
const withoutTexts = (schema: ObjectSchema): ObjectSchema =>
  JSON.parse(
    JSON.stringify(schema, (key, value) => (key === 'expects' || key === 'component' ? undefined : value)),
  )

/** Replaces `#validators` for one endpoint. */
const validatorSource = ({ body }: BodySchema): string => {
  if (!body) return 'export const schemaErrors = () => []'
  const ajv = new Ajv({ ...ajvOptions, code: { source: true, esm: true, formats: _`formats` } })
  const code = standalone(ajv, ajv.compile(withoutTexts(body)))
  return `import { formats } from ${JSON.stringify(formatsFile)}
${code}
export const schemaErrors = (_, body) => (validate(body) ? [] : validate.errors)`
}

/** Replaces `#validators` for several endpoints: calls the validator of each. */
const dispatcherSource = (endpoints: readonly BodySchema[]): string => `
${endpoints.map(({ id }, index) => `import { schemaErrors as errors${index} } from '#validators/${id}'`).join('\n')}
const errorsById = { ${endpoints.map(({ id }, index) => `'${id}': errors${index}`).join(', ')} }
export const schemaErrors = (endpoint, body) => errorsById[endpoint.id](endpoint, body)`

/** Replaces `#validators` with generated code, so that no bundle contains a schema compiler. */
export const generatedValidators = (...endpoints: readonly BodySchema[]): Plugin => ({
  name: 'generated-validators',
  setup(build) {
    build.onResolve({ filter: /^#validators(\/|$)/ }, ({ path }) => ({ path, namespace: 'validators' }))
    build.onLoad({ filter: /.*/, namespace: 'validators' }, ({ path }) => {
      const [first] = endpoints
      const isOnly = endpoints.length === 1
      const endpoint = isOnly ? first : endpoints.find(({ id }) => path === `#validators/${id}`)
      return {
        contents: endpoint ? validatorSource(endpoint) : dispatcherSource(endpoints),
        loader: 'js',
        resolveDir: fileURLToPath(new URL('../..', import.meta.url)),
      }
    })
  },
})
