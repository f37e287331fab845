import manifest from '../../package.json' with { type: 'json' }
import { openApiDocument } from '../../shared/openapi/document.ts'
import { declarations } from './declarations.ts'

/** The committed files that are generated from the contract, so that a reviewer sees what a change means to clients. */
export const generated = (): Readonly<Record<string, string>> => ({
  'client/generated.ts': declarations(manifest.version),
  'docs/openapi.json': `${JSON.stringify(openApiDocument('http://localhost:3000'), null, 2)}\n`,
})
