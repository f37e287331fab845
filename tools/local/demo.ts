import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findApplication } from '../../shared/http/authenticate.ts'
import type { Credentials } from '../../shared/store/credentials.ts'
import { createApplication } from '../applications/applications.ts'
import { CommandError } from '../cli/command.ts'
import { prepareFolder, writePrivate } from './data-folder.ts'
import type { LocalSettings } from './settings.ts'

export interface RecordedBusiness {
  /** Counted from January 1970. */
  readonly first_month: number
  /** The last one that is recorded completely, such as `2026-02-01`; undefined until then. */
  readonly recorded_until?: string | undefined
}

/** As it is kept in the data folder. */
export interface DemoApplication extends Credentials {
  /** Undefined if the demo business was never recorded in it. */
  readonly business?: RecordedBusiness | undefined
}

const readDemoApplication = (file: string): DemoApplication | undefined => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as DemoApplication
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return undefined
    throw new CommandError(`cannot read "${file}": ${(error as Error).message}`, { cause: error })
  }
}

/** Each engine has its own demo application. */
const fileName = ({ endpoint }: LocalSettings): string =>
  `demo-application${endpoint ? `-${encodeURIComponent(endpoint)}` : ''}.json`

/** Throws CommandError if the file cannot be written. */
export const keepDemoApplication = (settings: LocalSettings, application: DemoApplication): void => {
  const { dataDir } = settings
  if (dataDir === undefined) return
  writePrivate(join(dataDir, fileName(settings)), `${JSON.stringify(application, null, 2)}\n`)
}

/**
 * Also returns whether this call has created it, as at the first start. Only its file contains an API key in
 * plain text, and only its owner can read it; the table stores a hash. Throws CommandError if the folder
 * cannot be used.
 */
export const demoApplication = async (
  settings: LocalSettings,
): Promise<{ readonly demo: DemoApplication; readonly isNew: boolean }> => {
  const { dataDir } = settings
  if (dataDir === undefined) return { demo: await createApplication('Demo'), isNew: true }
  prepareFolder(dataDir)
  const stored = readDemoApplication(join(dataDir, fileName(settings)))
  if (stored && (await findApplication(String(stored.app_id), String(stored.api_key))))
    return { demo: stored, isNew: false }
  const created = await createApplication('Demo')
  keepDemoApplication(settings, created)
  return { demo: created, isNew: true }
}
