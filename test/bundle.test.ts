import { globSync } from 'node:fs'
import { resolve } from 'node:path'
// The files below use its hook, which removes folders. It is registered here, outside of the `describe` of
// each file.
import './support/processes/temporary-folder.ts'

// These files share one test file, because bundling all functions takes seconds.
describe.each(globSync('test/bundle/*.ts').sort())('%s:', (file) => {
  require(resolve(file))
})
