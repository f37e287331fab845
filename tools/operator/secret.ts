import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { UsageError } from './command.ts'

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

/**
 * Reads the API key from the environment, or else as a secret from the input: arguments are visible to other users of the
 * machine. Throws UsageError for what cannot be a key.
 */
export const readApiKey = async (
  { BILLING_API_KEY: key }: NodeJS.ProcessEnv,
  input: Input,
): Promise<string> => {
  const apiKey = key || (await readSecret('API key', input))
  if (/^[\x21-\x7e]+$/.test(apiKey)) return apiKey
  throw new UsageError('BILLING_API_KEY or the standard input must be an API key')
}
