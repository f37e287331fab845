import { openApiDocument } from '../shared/openapi/document.ts'
import { addressFrom, runCommand } from '../tools/operator/command.ts'

await runCommand({
  name: 'openapi',
  usage: `usage: npm run --silent openapi -- [URL]
       prints the OpenAPI document of the service at URL (default: http://localhost:3000)`,
  run: async ([url = 'http://localhost:3000']) =>
    console.log(JSON.stringify(openApiDocument(addressFrom('URL', url)), null, 2)),
})
