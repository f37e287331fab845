import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './temporary-folder.ts'

/** The arguments and input with which programs were called. */
export interface Calls {
  /** The arguments of all calls, one a line. */
  readonly arguments: string
  /** Returns the text that a command of `aws` read from its standard input. */
  readonly input: (command: string) => string
}

const programs = ['aws', 'curl', 'git', 'node', 'npm', 'npx', 'pip', 'python', 'sleep']

/**
 * Puts stand-ins for programs into a folder. `aws` prints "abc123", or fails in the commands named by `failing`. `npx node` is
 * Node itself. Returns the environment in which a shell finds them, and their calls until now.
 */
export const standIns = (
  failing: readonly string[] = [],
): { readonly env: NodeJS.ProcessEnv; readonly calls: () => Calls } => {
  const folder = temporaryFolder()
  const calls = join(folder, 'calls')
  const standIn = `#!/bin/sh
printf '%s\\n' "$@" >> "${calls}"
case "$*" in *describe-stack-resources*) echo "It shows 100 resources at most; the stack has more." >&2; exit 1;; esac
for command in ${failing.join(' ')}; do [ "$2" != "$command" ] || exit 1; done
case "$*" in *file:///dev/stdin*) tee "${folder}/$2.input" >> "${calls}";; esac
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
      arguments: readFileSync(calls, 'utf8'),
      input: (command) => readFileSync(join(folder, `${command}.input`), 'utf8'),
    }),
  }
}

/**
 * Runs commands in bash, where each variable must have a value, on stand-ins for programs. Throws if the last command fails, or
 * after a minute.
 */
export const runOnStandIns = (script: string, failing?: readonly string[]): Calls => {
  const { env, calls } = standIns(failing)
  execFileSync('bash', ['-euo', 'pipefail', '-c', script], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 60_000,
  })
  return calls()
}
