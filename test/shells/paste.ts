import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/processes/temporary-folder.ts'

/** How a person pastes. */
export interface Pasting {
  /** The shell and its arguments. */
  readonly shell: readonly string[]
  /** Whether the terminal marks what is pasted, if the shell asks for that. The shell then takes a block as a whole. */
  readonly bracketed: boolean
}

/** What came of it. */
export interface Pasted {
  /** What the commands printed. */
  readonly out: string
  /** What the terminal showed besides. */
  readonly screen: string
}

const SECONDS = 60

/**
 * Pastes blocks one after another into an interactive shell in a pseudo-terminal, each when the one before has ended. Rejects
 * with what the terminal showed if a block does not end within a minute, such as one that reads the block after it.
 */
export const paste = async (
  blocks: readonly string[],
  { shell, bracketed }: Pasting,
  env: NodeJS.ProcessEnv,
): Promise<Pasted> => {
  const folder = temporaryFolder()
  const file = join(folder, 'out')
  // Nothing else of this environment, such as credentials, reaches what is pasted, and no path but that of `env`.
  const settings = { PATH: process.env.PATH, ...env, HOME: folder, TERM: 'xterm', LANG: 'C.UTF-8' }
  const environment = Object.entries(settings).map(([name, value]) => `${name}=${value}`)
  const program = ['env', '-i', ...environment, 'sh', '-c', 'exec "$@" > "$0"', file, ...shell]
  const child = spawn('python3', ['-c', 'import pty, sys; pty.spawn(sys.argv[1:])', ...program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let screen = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    screen += text
  })
  const type = (line: string) => child.stdin.write(`${line.replaceAll('\n', '\r')}\r`)
  /** Waits until a command that was typed has printed this, in another spelling than it was typed in. */
  const ended = async (name: string): Promise<void> => {
    const before = screen.length
    type(`printf '<%s>\\n' ${name} >&2`)
    const end = Date.now() + SECONDS * 1_000
    while (!screen.includes(`<${name}>`, before)) {
      if (Date.now() > end) {
        child.kill()
        throw new Error(`${name} has not ended:\n${screen}`)
      }
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  await ended('start')
  const isAsked = screen.includes('\x1b[?2004h')
  for (const [index, block] of blocks.entries()) {
    const text = block.trimEnd()
    type(bracketed && isAsked ? `\x1b[200~${text}\x1b[201~` : text)
    await ended(`block-${index}`)
  }
  type('exit')
  await new Promise((resolve) => child.once('close', resolve))
  return { out: readFileSync(file, 'utf8'), screen }
}
