import { globSync } from 'node:fs'
import { resolve } from 'node:path'
// Its hook, which removes folders, belongs to no single file below.
import '../support/temporary-folder.ts'

// In one test file, since the CDK takes a second to start and another for each synthesis, which these files share.
describe.each(globSync('test/stack/templates/*.ts').sort())('%s:', (file) => {
  require(resolve(file))
})
