import { openApiDocument } from '../shared/api/openapi.ts'

const [serverUrl = 'http://localhost:3000'] = process.argv.slice(2)
console.log(JSON.stringify(openApiDocument(serverUrl), null, 2))
