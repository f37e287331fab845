import { runCommand } from '../tools/cli/command.ts'
import { appsUsage, runApps } from '../tools/operator/apps.ts'

await runCommand({
  name: 'apps',
  usage: appsUsage,
  run: async (args) => console.log(await runApps(args, process.env)),
})
