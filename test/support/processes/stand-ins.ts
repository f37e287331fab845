import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './temporary-folder.ts'

export interface StandInCalls {
  /** One call a line. */
  readonly arguments: string
  /** From its standard input. */
  readonly input: (command: string) => string
}

const programs = ['aws', 'curl', 'git', 'node', 'npm', 'npx', 'pip', 'python', 'sleep']

/**
 * Puts stand-ins for programs into a folder. Each records its arguments and prints "abc123", except that the
 * commands of `aws` named by `failing` fail. `npx node` is Node itself. Returns the environment in which a
 * shell finds the stand-ins, and a function that returns their calls so far.
 */
export const standIns = (
  failing: readonly string[] = [],
): { readonly env: NodeJS.ProcessEnv; readonly calls: () => StandInCalls } => {
  const folder = temporaryFolder()
  const callsFile = join(folder, 'calls')
  const standIn = `#!/bin/sh
printf '%s\\n' "$@" >> "${callsFile}"
case "$*" in *describe-stack-resources*) echo "It shows 100 resources at most; the stack has more." >&2; exit 1;; esac
for command in ${failing.join(' ')}; do [ "$2" != "$command" ] || exit 1; done
case "$*" in *file:///dev/stdin*) tee "${folder}/$2.input" >> "${callsFile}";; esac
echo abc123
`
  for (const program of programs) writeFileSync(join(folder, program), standIn, { mode: 0o755 })
  writeFileSync(
    join(folder, 'npx'),
    `#!/bin/sh\n[ "$1" != node ] || { shift; exec "${process.execPath}" "$@"; }\n${standIn}`,
  )
  return {
    env: { PATH: `${folder}:${process.env.PATH}` },
    calls: () => ({
      arguments: readFileSync(callsFile, 'utf8'),
      input: (command) => readFileSync(join(folder, `${command}.input`), 'utf8'),
    }),
  }
}

/**
 * Runs a script in bash, which finds stand-ins in place of programs. Each variable of the script must have a
 * value. Throws Error if a command fails, or after a minute.
 */
export const runOnStandIns = (script: string, failing?: readonly string[]): StandInCalls => {
  const { env, calls } = standIns(failing)
  execFileSync('bash', ['-euo', 'pipefail', '-c', script], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 60_000,
  })
  return calls()
}
