import { readAccess } from '../../cli/access.ts'
import { runCommand, UsageError } from '../../cli/command.ts'
import { parseOptions } from '../../cli/options.ts'
import type { Screen } from '../../cli/progress.ts'
import type { Input } from '../../cli/secret.ts'
import { asksForRecipes, recipeArguments, recipeList } from '../recipes/recipes.ts'
import { type ImportCounts, refusedRows } from './counts.ts'
import { importFrom } from './import.ts'
import { importOptions, importUsage, settingsFrom } from './import-options.ts'
import { importProgress } from './import-progress.ts'

/** The surroundings of the command: its environment, its standard input, and where it shows its progress. */
interface CommandContext {
  readonly env: NodeJS.ProcessEnv
  readonly input: Input
  readonly screen: Screen
}

/** Runs the command. Throws UsageError, or CommandError if it cannot continue. */
export const runImport = async (
  args: readonly string[],
  { env, input, screen }: CommandContext,
): Promise<ImportCounts> => {
  const own = parseOptions(args, importOptions, { allowPositionals: true })
  // Of an option that is given twice, the last one counts.
  const { values, positionals } = parseOptions([...recipeArguments(own.values), ...args], importOptions, {
    allowPositionals: true,
  })
  const files: readonly string[] = positionals
  const settings = settingsFrom(files, values)
  if (files.includes('-') && !env.BILLING_API_KEY)
    throw new UsageError('BILLING_API_KEY is required if "-" reads the standard input')
  const access = await readAccess(values, env, input)
  const progress = importProgress(screen, settings.format)
  try {
    const counts = await importFrom({ ...settings, input, progress }, access)
    progress.showSummary(counts, settings.isDryRun)
    return counts
  } finally {
    progress.end()
  }
}

/** The exit code if some rows were not recorded. */
const ROWS_REFUSED = 2

/** Runs the command as a program: prints the counts and sets the exit code. `command` is its name in the usage. */
export const importMain = (command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> =>
  runCommand(
    {
      name: 'import',
      usage: importUsage(command),
      // 2 means that some rows were not recorded.
      misuse: 1,
      run: async (commandArgs) => {
        if (asksForRecipes(commandArgs)) return console.log(recipeList())
        const counts = await runImport(commandArgs, { env, input: process.stdin, screen: process.stderr })
        console.log(JSON.stringify(counts))
        if (refusedRows(counts) > 0) process.exitCode = ROWS_REFUSED
      },
    },
    args,
  )
