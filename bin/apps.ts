import { appsUsage, run } from '../tools/operator/apps.ts'
import { runCommand } from '../tools/operator/command.ts'

await runCommand({
  name: 'apps',
  usage: appsUsage,
  run: async (args) => console.log(await run(args, process.env)),
})
