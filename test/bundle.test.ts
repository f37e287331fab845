import { globSync } from 'node:fs'
import { resolve } from 'node:path'
// Its hook removes temporary folders. Imported here, the hook runs once, after the tests of all files below.
import './support/processes/temporary-folder.ts'

// These files share one test file, because bundling all functions takes seconds.
describe.each(globSync('test/bundle/*.ts').sort())('%s:', (file) => {
  require(resolve(file))
})
