import { parseArgs } from 'node:util'
import { addressFrom, runCommand, UsageError } from '../tools/operator/command.ts'
import { report, runTour } from '../tools/smoke/run.ts'

const destination = (args: readonly string[]) => {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ args: [...args], options: { url: text, 'app-id': text, 'api-key': text } })
  const { url, 'app-id': appId, 'api-key': apiKey } = values
  if (!url || !appId || !apiKey) throw new UsageError('--url, --app-id and --api-key are required')
  return { baseUrl: addressFrom('--url', url), appId, apiKey }
}

await runCommand({
  name: 'smoke',
  usage: 'usage: npm run smoke -- --url URL --app-id ID --api-key KEY',
  run: async (args) => {
    // The slash shows that the gateway passes ids on percent-encoded.
    const own = `smoke-${new Date().toISOString()}/1`
    const outcomes = await runTour(destination(args), own)
    const failed = outcomes.filter(({ ok }) => !ok).length
    console.log(report(outcomes))
    console.log(`\n${failed} of ${outcomes.length} failed. The data that the tour left has the id ${own}.`)
    process.exitCode = failed === 0 ? 0 : 1
  },
})
