import { appsUsage, run } from '../shared/local/apps.ts'
import { runCommand } from '../shared/local/command.ts'

await runCommand({
  name: 'apps',
  usage: appsUsage,
  run: async (args) => console.log(await run(args, process.env)),
})
