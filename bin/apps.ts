import { appsUsage, run } from '../shared/operator/apps.ts'
import { runCommand } from '../shared/operator/command.ts'

await runCommand({
  name: 'apps',
  usage: appsUsage,
  run: async (args) => console.log(await run(args, process.env)),
})
