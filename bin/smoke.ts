import { parseArgs } from 'node:util'
import { concealKeys } from '../shared/store/credentials.ts'
import { addressFrom, runCommand, UsageError } from '../tools/operator/command.ts'
import { readApiKey } from '../tools/operator/secret.ts'
import { report, runTour } from '../tools/smoke/run-tour.ts'

const destination = async (args: readonly string[]) => {
  const text = { type: 'string' } as const
  const { url, 'app-id': appId } = parseArgs({
    args: [...args],
    options: { url: text, 'app-id': text },
  }).values
  if (!url || !appId) throw new UsageError('--url and --app-id are required')
  return { baseUrl: addressFrom('--url', url), appId, apiKey: await readApiKey(process.env, process.stdin) }
}

await runCommand({
  name: 'smoke',
  usage: `usage: npm run smoke -- --url URL --app-id ID

Takes the API key from the environment variable BILLING_API_KEY. Without it, asks for the key, or reads it from a pipe.

It causes events, where they are on: docs/events.md, "Receive one event", has the commands that receive one.`,
  run: async (args) => {
    // The slash shows that the gateway passes ids on percent-encoded.
    const own = `smoke-${new Date().toISOString()}/1`
    const outcomes = await runTour(await destination(args), own)
    const failed = outcomes.filter(({ ok }) => !ok).length
    console.log(concealKeys(report(outcomes)))
    console.log(`\n${failed} of ${outcomes.length} failed. The data that the tour left has the id ${own}.`)
    process.exitCode = failed === 0 ? 0 : 1
  },
})
