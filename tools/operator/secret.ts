import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/** The input of a command: standard input, with whether it is a terminal. */
export type Input = NodeJS.ReadableStream & { readonly isTTY?: boolean }

const silence = () => new Writable({ write: (_chunk, _encoding, done) => done() })

/** Reads the first line of the input. On a terminal it prompts for `name` and does not echo the input. */
export const readSecret = async (name: string, input: Input): Promise<string> => {
  const terminal = input.isTTY ?? false
  if (terminal) process.stderr.write(`${name}: `)
  const lines = createInterface({ input, output: silence(), terminal })
  try {
    for await (const line of lines) return line.trim()
    return ''
  } finally {
    lines.close()
    if (terminal) process.stderr.write('\n')
  }
}
