import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/** Such as standard input. */
export type Input = NodeJS.ReadableStream & { readonly isTTY?: boolean }

const discard = () => new Writable({ write: (_chunk, _encoding, done) => done() })

/**
 * The first line of the input without surrounding white space; empty if the input is empty. On a terminal,
 * prompts for it by `name` and does not echo it.
 */
export const readSecret = async (name: string, input: Input): Promise<string> => {
  const isTerminal = input.isTTY ?? false
  if (isTerminal) process.stderr.write(`${name}: `)
  const lines = createInterface({ input, output: discard(), terminal: isTerminal })
  try {
    for await (const line of lines) return line.trim()
    return ''
  } finally {
    lines.close()
    if (isTerminal) process.stderr.write('\n')
  }
}
