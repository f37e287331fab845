import { readFileSync } from 'node:fs'
import { CommandError } from './command.ts'
import { serviceFile, writePrivate } from './data-folder.ts'
import { isListening } from './loopback.ts'

/** The description of a running service in its data folder, with which commands find its database. */
interface RunningService {
  readonly base_url: string
  /** The secret address of its engine, which is stored only here. */
  readonly endpoint: string
  readonly table: string
  /** How long it caches keys, in milliseconds; absent if other programs may write to the engine. */
  readonly key_cache_millis?: number
}

/** Writes the description of the service that has locked a data folder, for commands. */
export const announceService = (dataDir: string, service: RunningService): void =>
  writePrivate(serviceFile(dataDir), JSON.stringify(service))

/** Returns the service that runs on a data folder; undefined if none responds. Throws CommandError if its file is corrupt. */
export const runningService = async (dataDir: string): Promise<RunningService | undefined> => {
  const file = serviceFile(dataDir)
  try {
    const service = JSON.parse(readFileSync(file, 'utf8')) as RunningService
    const { hostname, port } = new URL(service.endpoint)
    return (await isListening(Number(port), hostname)) ? service : undefined
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new CommandError(
      `"${file}" does not describe a running service (${message}): remove it, and restart the service if one runs`,
      { cause },
    )
  }
}
