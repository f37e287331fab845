import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recordDemoBusiness } from '../../../tools/local/record-business.ts'
import { startService } from '../../../tools/local/service.ts'
import { localSettings } from '../../../tools/local/settings.ts'

/** Records the invented business once, as `npm start` does, because that takes seconds. Each test that needs it copies the folder. */
const recordDemo = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'demo-'))
  const settings = localSettings({ PORT: '0', DATA_DIR: folder })
  const service = await startService(settings)
  await recordDemoBusiness(service, settings)
  await service.stop()
  process.env.DEMO_FOLDER = folder
  return () => rm(folder, { recursive: true })
}

export default recordDemo
