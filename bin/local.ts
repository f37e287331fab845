import { setLogSink } from '../shared/log.ts'
import { DOCS_PATH } from '../tools/local/docs.ts'
import { type LocalService, startService } from '../tools/local/service.ts'
import { localSettings, StartError } from '../tools/local/settings.ts'
import { scenario } from '../tools/testing/scenario.ts'
import { plant } from '../tools/testing/seeding.ts'

const fail = (error: unknown): never => {
  if (!(error instanceof StartError)) throw error
  console.error(`Not started: ${error.message}.`)
  process.exit(1)
}

/** Records the scenario through the API, without its hundreds of lines in the log. */
const plantScenario = async ({ baseUrl, demo }: LocalService): Promise<void> => {
  const log = setLogSink(() => undefined)
  await plant(scenario(), { baseUrl, appId: demo.app_id, apiKey: demo.api_key, keeps: true })
  setLogSink(log)
}

const run = async (): Promise<void> => {
  const settings = localSettings(process.env, process.argv.slice(2))
  const service = await startService(settings)
  const { baseUrl, demo, engine, stop } = service
  if (settings.scenario) await plantScenario(service)
  let ending = false
  // Once: npm hands on the Ctrl-C that the terminal has sent us too.
  const end = async () => {
    if (ending) return
    ending = true
    await stop()
    process.exit(0)
  }
  process.on('SIGINT', () => void end()).on('SIGTERM', () => void end())
  engine?.ended.then(() => {
    if (ending) return
    console.error('Ended: the DynamoDB engine has stopped.')
    process.exit(1)
  })
  // Last, for who reads it may end us at once.
  console.log(`Billing Data API     ${baseUrl}
Documentation        ${baseUrl}${DOCS_PATH}
Data                 ${settings.dataDir ?? 'in memory, gone at the end'}${settings.endpoint ? ` and ${settings.endpoint}` : ''}
Demo application id  ${demo.app_id}
Demo API key         ${demo.api_key}

Try it:
curl ${baseUrl}/api/products -H 'Authorization: Bearer ${demo.api_key}' -H 'x-app-id: ${demo.app_id}' -H 'Content-Type: application/json' -d '{"id": "basic", "name": "Basic plan"}'

Ctrl-C ends it. One line per request follows.`)
}

run().catch(fail)
