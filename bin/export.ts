import { runCommand } from '../tools/cli/command.ts'
import { printableJson } from '../tools/cli/printable.ts'
import { exportUsage, runExport } from '../tools/transfer/export/export.ts'

await runCommand({
  name: 'export',
  usage: exportUsage,
  run: async (args) => console.log(printableJson(await runExport(args, process.env))),
})
