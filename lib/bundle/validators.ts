import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { _ } from 'ajv/dist/compile/codegen/index.js'
import standalone from 'ajv/dist/standalone/index.js'
import type { Plugin } from 'esbuild'
import type { ObjectSchema } from '../../shared/contract/schema.ts'
import { ajvOptions, type BodySchema } from '../../shared/http/validation/schema-errors.ts'

const formatsFile = fileURLToPath(new URL('../../shared/contract/formats.ts', import.meta.url))

/** Removes the texts of error details: generated code contains its whole schema, and takes the texts from the endpoint. */
const withoutSentences = (schema: ObjectSchema): ObjectSchema =>
  JSON.parse(
    JSON.stringify(schema, (key, value) => (key === 'expects' || key === 'component' ? undefined : value)),
  )

/** The source of the module that replaces `#validators` in an endpoint's bundle: its generated validator. */
const validatorSource = ({ body }: BodySchema): string => {
  if (!body) return 'export const schemaErrors = () => []'
  const ajv = new Ajv({ ...ajvOptions, code: { source: true, esm: true, formats: _`formats` } })
  const code = standalone(ajv, ajv.compile(withoutSentences(body)))
  return `import { formats } from ${JSON.stringify(formatsFile)}
${code}
export const schemaErrors = (_, body) => (validate(body) ? [] : validate.errors)`
}

/** The source of a module that dispatches to the validators of several endpoints. */
const dispatcherSource = (endpoints: readonly BodySchema[]): string => `
${endpoints.map(({ id }, index) => `import { schemaErrors as errors${index} } from '#validators/${id}'`).join('\n')}
const all = { ${endpoints.map(({ id }, index) => `'${id}': errors${index}`).join(', ')} }
export const schemaErrors = (endpoint, body) => all[endpoint.id](endpoint, body)`

/** The esbuild plugin that replaces `#validators` with generated code for these endpoints, so that no bundle contains a schema compiler. */
export const generatedValidators = (...endpoints: readonly BodySchema[]): Plugin => ({
  name: 'generated-validators',
  setup(build) {
    build.onResolve({ filter: /^#validators(\/|$)/ }, ({ path }) => ({ path, namespace: 'validators' }))
    build.onLoad({ filter: /.*/, namespace: 'validators' }, ({ path }) => {
      const one =
        endpoints.length === 1 ? endpoints[0] : endpoints.find(({ id }) => path === `#validators/${id}`)
      return {
        contents: one ? validatorSource(one) : dispatcherSource(endpoints),
        loader: 'js',
        resolveDir: fileURLToPath(new URL('../..', import.meta.url)),
      }
    })
  },
})
