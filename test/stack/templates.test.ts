import { globSync } from 'node:fs'
import { resolve } from 'node:path'
// The files below use its hook, which removes folders. It is registered here, outside of the `describe` of
// each file.
import '../support/processes/temporary-folder.ts'

// On DynamoDB Local, only the file that depends on the database runs.
const names = process.env.DYNAMODB_LOCAL ? 'events-of-writes' : '*'
// These files share one test file, because the CDK takes a second to start and another second for each
// synthesis.
describe.each(globSync(`test/stack/templates/${names}.ts`).sort())('%s:', (file) => {
  require(resolve(file))
})
