import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './temporary-folder.ts'

/** The text of docs/operating.md. */
export const operatingGuide = readFileSync('docs/operating.md', 'utf8')

/** Returns the section of the operator's guide with this title, up to the next heading of any level. */
export const section = (title: string): string =>
  operatingGuide.split(/^#+ /m).find((each) => each.startsWith(`${title}\n`)) ?? ''

/** Returns the IAM policy in a section of the guide, its only JSON block. */
export const policyIn = (title: string): unknown =>
  JSON.parse(/```json\n([\s\S]*?)```/.exec(section(title))?.[1] ?? '')

/** Returns the blocks of commands in a section of the guide, each of which a person pastes whole. */
export const blocksIn = (title: string): string[] =>
  [...section(title).matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, script]) => script!)

/** Returns blocks of commands in order, after those that set the variables for a stage. */
export const pasted = (blocks: readonly string[], stage = 'prod'): string =>
  [...blocksIn('Before you paste'), ...blocks].join('\n').replace('STAGE=prod', `STAGE=${stage}`)

/** The arguments and input with which programs were called. */
export interface Calls {
  /** The arguments of all calls, one a line. */
  readonly arguments: string
  /** What `aws` read from its standard input, by the name of the command. */
  readonly input: (command: string) => string
}

/**
 * Runs commands in bash, where each variable must have a value, on stand-ins for programs. `aws` prints "abc123", or fails in
 * the commands named by `failing`. Throws if the last command fails, or after a minute. `npx node` is Node itself.
 */
export const runOnStandIns = (script: string, failing: readonly string[] = []): Calls => {
  const folder = temporaryFolder()
  const calls = join(folder, 'calls')
  const standIn = `#!/bin/sh
printf '%s\\n' "$@" >> ${calls}
case "$*" in *describe-stack-resources*) echo "It shows 100 resources at most; the stack has more." >&2; exit 1;; esac
for each in ${failing.join(' ')}; do [ "$2" != "$each" ] || exit 1; done
case "$*" in *file:///dev/stdin*) cat > "${folder}/$2.input";; esac
echo abc123
`
  for (const program of ['aws', 'git', 'node', 'npm', 'npx', 'sleep'])
    writeFileSync(join(folder, program), standIn, { mode: 0o755 })
  writeFileSync(
    join(folder, 'npx'),
    `#!/bin/sh\n[ "$1" != node ] || { shift; exec ${process.execPath} "$@"; }\n${standIn}`,
  )
  const env = { PATH: `${folder}:${process.env.PATH}` }
  execFileSync('bash', ['-euo', 'pipefail', '-c', script], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 60_000,
  })
  return {
    arguments: readFileSync(calls, 'utf8'),
    input: (command) => readFileSync(join(folder, `${command}.input`), 'utf8'),
  }
}
