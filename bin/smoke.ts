import { accessOptions, readAccess } from '../tools/cli/access.ts'
import { runCommand } from '../tools/cli/command.ts'
import { parseOptions } from '../tools/cli/options.ts'
import { optionList, synopsis } from '../tools/cli/usage.ts'
import { formatResults, runSmokeTest } from '../tools/smoke/smoke-test.ts'

await runCommand({
  name: 'smoke',
  usage: `usage: npm run smoke -- ${synopsis(accessOptions)}

Calls every operation as a client would, and checks the gateway.

${optionList(accessOptions)}

The environment variable BILLING_API_KEY is the API key. Without it, the command asks for the key, or reads it from a pipe.

It causes events if they are turned on: docs/events.md, "Test event delivery", has the commands that receive one.`,
  run: async (args) => {
    // The slash shows that the gateway passes ids on percent-encoded.
    const externalId = `smoke-${new Date().toISOString()}/1`
    const { values } = parseOptions(args, accessOptions)
    const results = await runSmokeTest(await readAccess(values, process.env, process.stdin), externalId)
    const failed = results.filter(({ ok }) => !ok).length
    console.log(formatResults(results))
    console.log(
      `\n${failed} of ${results.length} failed. The entities that were created have the id ${externalId}.`,
    )
    process.exitCode = failed === 0 ? 0 : 1
  },
})
