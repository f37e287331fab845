import { CONSOLE_PATH, DOCS_PATH } from '../shared/contract/document-function.ts'
import { asCommandError, runCommand } from '../tools/cli/command.ts'
import { progressDisplay } from '../tools/cli/progress.ts'
import { exitWith } from '../tools/local/exit.ts'
import { recordDemoBusiness } from '../tools/local/record-business.ts'
import { type LocalService, startService } from '../tools/local/service.ts'
import { type LocalSettings, localSettings, localUsage } from '../tools/local/settings.ts'

/** A folder or memory and, for another engine than the embedded one, its address. */
const dataLocation = ({ dataDir, endpoint }: LocalSettings): string => {
  const folder = dataDir ?? 'in memory, until it ends'
  return endpoint ? `${folder} and ${endpoint}` : folder
}

const greeting = ({ baseUrl, engineUrl, demo }: LocalService, settings: LocalSettings): string => {
  const engineLine = engineUrl ? `\nDynamoDB engine      ${engineUrl}` : ''
  return `Billing Data API     ${baseUrl}
Console              ${baseUrl}${CONSOLE_PATH}
Documentation        ${baseUrl}${DOCS_PATH}
Data                 ${dataLocation(settings)}${engineLine}
Demo application id  ${demo.app_id}
Demo API key         ${demo.api_key}

Try it:
curl ${baseUrl}/api/products -H 'Authorization: Bearer ${demo.api_key}' -H 'x-app-id: ${demo.app_id}' -H 'Content-Type: application/json' -d '{"id": "gift-card", "name": "Gift card"}'

Ctrl-C ends it. One line per request follows.`
}

await runCommand({
  name: 'start',
  usage: localUsage,
  run: async (args) => {
    const settings = localSettings(process.env, args)
    const service = await startService(settings)
    const stopping = new AbortController()
    const { show, line, end } = progressDisplay()
    const { signal } = stopping
    // It begins before the greeting, and a service without it serves all the same.
    const recorded = recordDemoBusiness(service, settings, { signal, show })
      .then((count) => count > 0 && line(`Recorded the demo business: ${count} records`))
      .finally(end)
      .catch((error: unknown) => {
        if (!signal.aborted) console.error(`start: ${asCommandError(error).message}`)
      })
    const stop = async (): Promise<void> => {
      stopping.abort()
      await recorded
      await service.stop()
    }
    exitWith({ engine: service.engine, stop }, 'start')
    // A parent process may send a signal as soon as it has read this.
    console.log(greeting(service, settings))
  },
})
