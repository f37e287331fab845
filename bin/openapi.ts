import { openApiDocument } from '../shared/api/openapi.ts'

const [baseUrl = 'http://localhost:3000'] = process.argv.slice(2)
console.log(JSON.stringify(openApiDocument(baseUrl), null, 2))
