import { CONSOLE_PATH, DOCS_PATH } from '../shared/contract/deployable.ts'
import { currentService } from '../shared/store/service.ts'
import { runCommand } from '../tools/cli/command.ts'
import { exitWith } from '../tools/local/exit.ts'
import { type LocalService, startService } from '../tools/local/service.ts'
import { type LocalSettings, localSettings, localUsage } from '../tools/local/settings.ts'
import { scenario } from '../tools/testing/scenario.ts'
import { createSeed } from '../tools/testing/seed.ts'

/** Creates the scenario through the API, without its hundreds of lines in the log. */
const seedScenario = async ({ baseUrl, demo, stop }: LocalService): Promise<void> => {
  const service = currentService()
  const { log } = service
  service.log = () => undefined
  try {
    await createSeed(scenario(Date.now()), { baseUrl, appId: demo.app_id, apiKey: demo.api_key }, true)
  } catch (error) {
    await stop()
    throw error
  } finally {
    service.log = log
  }
}

const greeting = ({ baseUrl, engineUrl, demo }: LocalService, { dataDir, endpoint }: LocalSettings): string =>
  `Billing Data API     ${baseUrl}
Console              ${baseUrl}${CONSOLE_PATH}
Documentation        ${baseUrl}${DOCS_PATH}
Data                 ${dataDir ?? 'in memory, until it ends'}${endpoint ? ` and ${endpoint}` : ''}${engineUrl ? `\nDynamoDB engine      ${engineUrl}` : ''}
Demo application id  ${demo.app_id}
Demo API key         ${demo.api_key}

Try it:
curl ${baseUrl}/api/products -H 'Authorization: Bearer ${demo.api_key}' -H 'x-app-id: ${demo.app_id}' -H 'Content-Type: application/json' -d '{"id": "starter", "name": "Starter plan"}'

Ctrl-C ends it. One line per request follows.`

await runCommand({
  name: 'start',
  usage: localUsage,
  run: async (args) => {
    const settings = localSettings(process.env, args)
    const service = await startService(settings)
    if (settings.scenario) await seedScenario(service)
    exitWith(service, 'start')
    // Printed last, since a parent process may send a signal as soon as it reads the line.
    console.log(greeting(service, settings))
  },
})
