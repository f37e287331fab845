import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Credentials, createApplication } from '../store/applications.ts'
import { findApplication } from '../store/authorisation.ts'

const read = (file: string): Credentials | undefined => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Credentials
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return undefined
    throw error
  }
}

/**
 * The demo application of a data folder, made at the first start. Only here is a key kept in the clear, readable by
 * its owner alone, since the table holds no more than its hash.
 */
export const demoApplication = async (dataDir: string | undefined): Promise<Credentials> => {
  const file = dataDir === undefined ? undefined : join(dataDir, 'demo-application.json')
  const known = file && read(file)
  if (known && (await findApplication(known.app_id, known.api_key))) return known
  const created = await createApplication('Demo')
  if (file) writeFileSync(file, `${JSON.stringify(created, null, 2)}\n`, { mode: 0o600 })
  return created
}
