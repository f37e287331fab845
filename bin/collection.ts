import { collection } from '../tools/local/collection.ts'
import { addressFrom, runCommand } from '../tools/operator/command.ts'

await runCommand({
  name: 'collection',
  usage: `usage: npm run --silent collection -- [URL]
       prints a Postman collection for the service at URL (default: http://localhost:3000)`,
  run: async ([url = 'http://localhost:3000']) =>
    console.log(JSON.stringify(await collection(addressFrom('URL', url)), null, 2)),
})
