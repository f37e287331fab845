import { OLDEST_NODE } from './manifest.ts'

/**
 * The text of the package's executable: it runs the module `program`, or says in one line that this Node is too old.
 * It is a file of its own, in syntax that every Node parses, since an old Node does not parse the program itself.
 */
export const launcher = (name: string, program: string): string => `#!/usr/bin/env node
var oldest = '${OLDEST_NODE}'.split('.').map(Number)
var own = process.versions.node.split('.').map(Number)
if (own[0] > oldest[0] || (own[0] === oldest[0] && own[1] >= oldest[1])) require('${program}')
else {
  console.error('${name}: needs Node ${OLDEST_NODE} or newer (this is Node ' + process.versions.node + ')')
  process.exitCode = 1
}
`
