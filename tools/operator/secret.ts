import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/** Where a command reads from: standard input, of which a terminal knows that it is one. */
export type Input = NodeJS.ReadableStream & { readonly isTTY?: boolean }

const silence = () => new Writable({ write: (_chunk, _encoding, done) => done() })

/** The first line of the input. At a terminal it asks for it by name, and what is typed is not shown. */
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
