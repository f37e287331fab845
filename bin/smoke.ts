import { parseArgs } from 'node:util'
import { report, runTour } from '../lib/smoke/run.ts'

const usage = 'usage: npm run smoke -- --url URL --app-id ID --api-key KEY'

const destination = () => {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { url: text, 'app-id': text, 'api-key': text } })
  const { url, 'app-id': appId, 'api-key': apiKey } = values
  if (!url || !appId || !apiKey) throw new Error('--url, --app-id and --api-key are all needed')
  return { baseUrl: url.replace(/\/+$/, ''), appId, apiKey }
}

try {
  const own = `smoke-${new Date().toISOString()}`
  const outcomes = await runTour(destination(), own)
  console.log(`${report(outcomes)}\n\nWhat it left has the id ${own}.`)
  process.exitCode = outcomes.every(({ ok }) => ok) ? 0 : 1
} catch (error) {
  console.error(`smoke: ${(error as Error).message}\n${usage}`)
  process.exitCode = 2
}
