import { OLDEST_NODE } from './manifest.ts'

/**
 * Prints one line if Node is too old. A separate file in ES5, because an old Node cannot parse the program.
 */
export const launcher = (name: string, program: string): string => `#!/usr/bin/env node
var oldest = '${OLDEST_NODE}'.split('.').map(Number)
var current = process.versions.node.split('.').map(Number)
if (current[0] > oldest[0] || (current[0] === oldest[0] && current[1] >= oldest[1])) require('${program}')
else {
  console.error('${name} needs Node ${OLDEST_NODE} or newer (this is Node ' + process.versions.node + ')')
  process.exitCode = 1
}
`
