import { accessSync, constants, mkdirSync } from 'node:fs'
import { CommandError } from './command.ts'

/** Throws CommandError if the folder cannot be written, as in a read-only checkout. */
export const prepareOutputFolder = (folder: string): void => {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new CommandError(`cannot write to the folder "${folder}": ${(cause as Error).message}`, { cause })
  }
}
