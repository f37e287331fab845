import { spawnSync } from 'node:child_process'
import { toolCommand } from './tools.ts'

/** Runs a tool with its arguments: `node tools/packages/run.ts NAME ARGUMENTS`. */
const [name = '', ...args] = process.argv.slice(2)
process.exitCode = spawnSync(toolCommand(name), args, { stdio: 'inherit' }).status ?? 1
