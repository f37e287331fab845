import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/processes/temporary-folder.ts'

export interface PasteTarget {
  readonly shell: readonly string[]
  /**
   * Marks pasted text if the shell asks for it (bracketed paste). The shell then reads a block as a whole.
   */
  readonly isBracketed: boolean
}

export interface PasteOutput {
  readonly out: string
  readonly screen: string
}

const TIMEOUT_SECONDS = 60

/**
 * Pastes blocks into an interactive shell in a pseudo-terminal, each after the previous block has ended.
 * Rejects with the text on the terminal if a block does not end within a minute, for example because it reads
 * the next block as its input.
 */
export const paste = async (
  blocks: readonly string[],
  { shell, isBracketed }: PasteTarget,
  env: NodeJS.ProcessEnv,
): Promise<PasteOutput> => {
  const folder = temporaryFolder()
  const file = join(folder, 'out')
  // The pasted commands get no other variables of this environment, such as credentials, and only the PATH of
  // `env` if it has one.
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
  /**
   * Waits until the shell has run all earlier commands: it then prints `<name>`, which the typed command does
   * not contain.
   */
  const waitForShell = async (name: string): Promise<void> => {
    const screenBefore = screen.length
    type(`printf '<%s>\\n' ${name} >&2`)
    const deadline = Date.now() + TIMEOUT_SECONDS * 1_000
    while (!screen.includes(`<${name}>`, screenBefore)) {
      if (Date.now() > deadline) {
        child.kill()
        throw new Error(`${name} has not ended:\n${screen}`)
      }
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  await waitForShell('start')
  const asksForBrackets = screen.includes('\x1b[?2004h')
  for (const [index, block] of blocks.entries()) {
    const text = block.trimEnd()
    type(isBracketed && asksForBrackets ? `\x1b[200~${text}\x1b[201~` : text)
    await waitForShell(`block-${index}`)
  }
  type('exit')
  await new Promise((resolve) => child.once('close', resolve))
  return { out: readFileSync(file, 'utf8'), screen }
}
