import { globSync } from 'node:fs'
import { resolve } from 'node:path'
// Its hook removes temporary folders. Imported here, the hook runs once, after the tests of all files below.
import '../support/processes/temporary-folder.ts'

// On DynamoDB Local, only the file that depends on the database runs.
const names = process.env.DYNAMODB_LOCAL ? 'events-of-writes' : '*'
// These files share one test file, because the CDK takes a second to start and another second for each
// synthesis.
describe.each(globSync(`test/stack/templates/${names}.ts`).sort())('%s:', (file) => {
  require(resolve(file))
})
