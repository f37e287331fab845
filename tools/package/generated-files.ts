import { readFileSync } from 'node:fs'
import packageJson from '../../package.json' with { type: 'json' }
import { openApiDocument } from '../../shared/openapi/document.ts'
import { clientSource } from './client-source.ts'
import { withFieldsTable } from './fields-table.ts'

/** Committed, so that a reviewer sees how a change affects clients. */
export const generatedFiles = (): Readonly<Record<string, string>> => ({
  'client/generated.ts': clientSource(packageJson.version),
  'docs/openapi.json': `${JSON.stringify(openApiDocument('http://localhost:3000'), null, 2)}\n`,
  'docs/api.md': withFieldsTable(readFileSync('docs/api.md', 'utf8')),
})
