import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { _ } from 'ajv/dist/compile/codegen/index.js'
import standalone from 'ajv/dist/standalone/index.js'
import type { Plugin } from 'esbuild'
import type { Endpoint } from '../shared/contract/endpoint.ts'
import { ajvOptions } from '../shared/http/compile.ts'

const formatsFile = fileURLToPath(new URL('../shared/contract/formats.ts', import.meta.url))

/** A module that stands in for `#validators` in an endpoint's bundle: its validator as generated code, no compiler. */
const generated = ({ body }: Endpoint): string => {
  if (!body) return 'export const schemaErrors = () => []'
  const ajv = new Ajv({ ...ajvOptions, code: { source: true, esm: true, formats: _`formats` } })
  const code = standalone(ajv, ajv.compile(body))
  return `import { formats } from ${JSON.stringify(formatsFile)}
${code}
export const schemaErrors = (_, body) => (validate(body) ? [] : validate.errors)`
}

/** The esbuild plugin that resolves `#validators` to the validator of one endpoint (P3: no schema compiler deployed). */
export const generatedValidators = (endpoint: Endpoint): Plugin => ({
  name: 'generated-validators',
  setup(build) {
    build.onResolve({ filter: /^#validators$/ }, () => ({ path: endpoint.id, namespace: 'validators' }))
    build.onLoad({ filter: /.*/, namespace: 'validators' }, () => ({
      contents: generated(endpoint),
      loader: 'js',
      resolveDir: fileURLToPath(new URL('..', import.meta.url)),
    }))
  },
})
