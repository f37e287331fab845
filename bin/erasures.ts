import { parseArgs } from 'node:util'
import { printableJson, runCommand, UsageError, withoutKey } from '../tools/cli/command.ts'
import { progress } from '../tools/cli/progress.ts'
import { onTable } from '../tools/operator/command-table.ts'
import { reapplyErasures } from '../tools/operator/erasures.ts'

const text = { type: 'string' } as const

await runCommand({
  name: 'erasures',
  usage: `usage: npm run erasures -- --from TABLE --to RESTORED_TABLE [--region REGION] [--after POSITION]

Repeats in a restored table the changes that TABLE shows: erasures of customers, revoked keys, disabled and removed
applications (which it disables). Prints JSON. Can be run again; after a failure, --after continues where it stopped.`,
  run: async (args) => {
    const options = { from: text, to: text, region: text, after: text }
    const { from, to: table, region, after } = parseArgs({ args: [...args], options }).values
    if (!from || !table) throw new UsageError('--from and --to are required')
    const { tell, end } = progress()
    const repeated = await onTable({ table, region }, process.env, () =>
      reapplyErasures(withoutKey('--from', from), { after, tell }).finally(end),
    )
    console.log(printableJson(repeated))
  },
})
