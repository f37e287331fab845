import { DOCS_PATH } from '../tools/local/docs.ts'
import { startService } from '../tools/local/service.ts'
import { localSettings, StartError } from '../tools/local/settings.ts'

const fail = (error: unknown): never => {
  if (!(error instanceof StartError)) throw error
  console.error(`Not started: ${error.message}.`)
  process.exit(1)
}

const run = async (): Promise<void> => {
  const settings = localSettings(process.env, process.argv.slice(2))
  const { baseUrl, demo, engine, stop } = await startService(settings)
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
