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

/** The source of the module that validates the body of an endpoint. */
const validatorSource = ({ body }: BodySchema): string => {
  const ajv = new Ajv({ ...ajvOptions, code: { source: true, esm: true, formats: _`formats` } })
  return `import { formats } from ${JSON.stringify(formatsFile)}
${standalone(ajv, ajv.compile(withoutTexts(body as ObjectSchema)))}`
}

/**
 * The source that replaces `#validators`. A body that no validator of this bundle knows is an error, since it
 * would pass unchecked on AWS alone: every test of the sources has all validators.
 */
const dispatcherSource = (endpoints: readonly BodySchema[]): string => `
${endpoints.map(({ id }, index) => `import validate${index} from '#validators/${id}'`).join('\n')}
const validators = { ${endpoints.map(({ id }, index) => `'${id}': validate${index}`).join(', ')} }
export const schemaErrors = ({ id }, body) => {
  const validate = validators[id]
  if (!validate) throw new Error('The validator of ' + id + ' is left out of this bundle')
  return validate(body) ? [] : validate.errors
}`

/** Replaces `#validators` with generated code, so that no bundle contains a schema compiler. */
export const generatedValidators = (...endpoints: readonly BodySchema[]): Plugin => ({
  name: 'generated-validators',
  setup(build) {
    const withBody = endpoints.filter(({ body }) => body)
    build.onResolve({ filter: /^#validators(\/|$)/ }, ({ path }) => ({ path, namespace: 'validators' }))
    build.onLoad({ filter: /.*/, namespace: 'validators' }, ({ path }) => {
      const endpoint = withBody.find(({ id }) => path === `#validators/${id}`)
      return {
        contents: endpoint ? validatorSource(endpoint) : dispatcherSource(withBody),
        loader: 'js',
        resolveDir: fileURLToPath(new URL('../..', import.meta.url)),
      }
    })
  },
})
