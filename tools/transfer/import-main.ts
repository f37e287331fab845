import { runCommand } from '../operator/command.ts'
import { importUsage, runImport } from './import-command.ts'
import { isComplete } from './tally.ts'

/** Runs the import as a program, with these arguments, in the process's surroundings. */
export const importMain = (args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> =>
  runCommand(
    {
      name: 'import',
      usage: importUsage,
      misuse: 1,
      run: async (given) => {
        const tally = await runImport(given, { env, input: process.stdin, screen: process.stderr })
        console.log(JSON.stringify(tally))
        process.exitCode = isComplete(tally) ? 0 : 2
      },
    },
    args,
  )
