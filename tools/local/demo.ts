import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findApplication } from '../../shared/store/authorisation.ts'
import type { Credentials } from '../../shared/store/credentials.ts'
import { createApplication } from '../applications/applications.ts'
import { CommandError } from '../cli/command.ts'
import { prepareFolder, writePrivate } from './data-folder.ts'
import type { LocalSettings } from './settings.ts'

const read = (file: string): Credentials | undefined => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Credentials
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return undefined
    throw new CommandError(`cannot read "${file}": ${(error as Error).message}`, { cause: error })
  }
}

/** Returns the name of the file. It depends on the endpoint, since each engine has its own demo application. */
const fileName = ({ endpoint }: LocalSettings): string =>
  `demo-application${endpoint ? `-${encodeURIComponent(endpoint)}` : ''}.json`

/**
 * Returns the credentials of the demo application from the data folder. Creates the application at the first start. Only this
 * file contains an API key in plain text, and only its owner can read it; the table stores a hash. Throws CommandError if the
 * folder cannot be used.
 */
export const demoApplication = async (settings: LocalSettings): Promise<Credentials> => {
  const { dataDir } = settings
  if (dataDir === undefined) return createApplication('Demo')
  prepareFolder(dataDir)
  const file = join(dataDir, fileName(settings))
  const known = read(file)
  if (known && (await findApplication(String(known.app_id), String(known.api_key)))) return known
  const created = await createApplication('Demo')
  writePrivate(file, `${JSON.stringify(created, null, 2)}\n`)
  return created
}
