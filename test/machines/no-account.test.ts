import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  freeSettings,
  killLocalProcesses,
  runToEnd,
  startLocalProcess,
} from '../support/processes/local-process.ts'
import { temporaryFolder } from '../support/processes/temporary-folder.ts'
import { startTrap, type Trap } from './trap.ts'

/** The time limit of a command, for a busy machine. */
const TIMEOUT_MILLIS = 300_000
jest.setTimeout(TIMEOUT_MILLIS)

let trap: Trap
beforeEach(async () => {
  trap = await startTrap()
})
afterEach(() => {
  trap.close()
  expect(trap.requests()).toEqual([])
})
afterAll(killLocalProcesses)

const runNode = (args: readonly string[], more: NodeJS.ProcessEnv = {}) =>
  runToEnd(process.execPath, args, { ...trap.env, ...more }, { timeout: TIMEOUT_MILLIS })

it('runs tests without a request to the account', async () => {
  const file = 'test/machines/credentials.test.ts'
  const { code, err } = await runNode(['node_modules/jest/bin/jest.js', '-w', '1', file])
  expect({ code, failures: err.match(/●.*/g) ?? [] }).toEqual({ code: 0, failures: [] })
})

it('runs the service and the commands on a local folder without a request to the account', async () => {
  const settings = freeSettings()
  const { child, baseUrl, demo, ended } = await startLocalProcess({ ...trap.env, ...settings })
  const apps = await runNode(['bin/apps.ts', 'create', '--name', 'Test'], settings)
  expect(apps).toMatchObject({ code: 0, out: expect.stringContaining('"app_id"') })
  const folder = temporaryFolder()
  const file = join(folder, 'products.csv')
  writeFileSync(file, 'id,name\na,A\n')
  const access = { BILLING_URL: baseUrl, BILLING_APP_ID: demo.app_id, BILLING_API_KEY: demo.api_key }
  expect(await runNode(['bin/import.ts', file], access)).toMatchObject({ code: 0, err: expect.any(String) })
  const exported = await runNode(
    ['bin/export.ts', '--app', demo.app_id, '--out', join(folder, 'out')],
    settings,
  )
  expect(exported).toMatchObject({ code: 0 })
  child.kill()
  await ended
  expect(await runNode(['bin/apps.ts', 'list'], settings)).toMatchObject({ code: 0 })
})
