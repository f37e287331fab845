import { runCommand } from '../operator/command.ts'
import { allRecorded } from './counts.ts'
import { importUsage, runImport } from './import-command.ts'

/** Runs the import as a program that is called `command`. */
export const importMain = (command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> =>
  runCommand(
    {
      name: 'import',
      usage: importUsage(command),
      misuse: 1,
      run: async (given) => {
        const counts = await runImport(given, { env, input: process.stdin, screen: process.stderr })
        console.log(JSON.stringify(counts))
        process.exitCode = allRecorded(counts) ? 0 : 2
      },
    },
    args,
  )
