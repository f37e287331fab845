import { globSync } from 'node:fs'
import { resolve } from 'node:path'
// Its hook, which removes folders, belongs to no single file below.
import '../support/processes/temporary-folder.ts'

// Of these, one depends on the database.
const files = process.env.DYNAMODB_LOCAL ? 'events-of-writes' : '*'
// In one test file, since the CDK takes a second to start and another for each synthesis, which these files share.
describe.each(globSync(`test/stack/templates/${files}.ts`).sort())('%s:', (file) => {
  require(resolve(file))
})
