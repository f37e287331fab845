import { runCommand } from '../tools/operator/command.ts'
import { importUsage, runImport } from '../tools/transfer/import-command.ts'
import { isComplete } from '../tools/transfer/tally.ts'

await runCommand({
  name: 'import',
  usage: importUsage,
  misuse: 1,
  run: async (args) => {
    const surroundings = { env: process.env, input: process.stdin, screen: process.stderr }
    const tally = await runImport(args, surroundings)
    console.log(JSON.stringify(tally))
    process.exitCode = isComplete(tally) ? 0 : 2
  },
})
