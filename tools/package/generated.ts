import { readFileSync } from 'node:fs'
import manifest from '../../package.json' with { type: 'json' }
import { openApiDocument } from '../../shared/openapi/document.ts'
import { declarations } from './declarations.ts'
import { withFieldsTable } from './fields-table.ts'

/** The generated files that are committed, so that a reviewer sees the effect of a change on clients. */
export const generated = (): Readonly<Record<string, string>> => ({
  'client/generated.ts': declarations(manifest.version),
  'docs/openapi.json': `${JSON.stringify(openApiDocument('http://localhost:3000'), null, 2)}\n`,
  'README.md': withFieldsTable(readFileSync('README.md', 'utf8')),
})
