import { runCommand } from '../tools/cli/command.ts'
import { appsUsage, run } from '../tools/operator/apps.ts'

await runCommand({
  name: 'apps',
  usage: appsUsage,
  run: async (args) => console.log(await run(args, process.env)),
})
