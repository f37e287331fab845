import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { startTrap } from './trap.ts'

/**
 * Runs a command in the environment of a cloud developer, whose AWS account is a trap. Exits with the
 * command's exit code, or with 1 if a request reached the trap.
 */

const [file = '', ...args] = process.argv.slice(2)
const trap = await startTrap()
const command = spawn(file, args, { stdio: 'inherit', env: { ...process.env, ...trap.env } })
// The terminal sends its signals to the whole process group, but a time limit sends SIGTERM to this process
// alone.
process.once('SIGTERM', () => command.kill())
const [code] = (await once(command, 'close')) as [number | null]
const requests = trap.requests()
trap.close()
if (requests.length > 0) console.error(`Requests to an AWS account:\n${requests.join('\n')}`)
process.exitCode = requests.length > 0 ? 1 : (code ?? 1)
