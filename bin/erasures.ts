import { runCommand } from '../tools/cli/command.ts'
import { type Options, parseOptions } from '../tools/cli/options.ts'
import { printableJson } from '../tools/cli/printable.ts'
import { progressDisplay } from '../tools/cli/progress.ts'
import { withoutKey } from '../tools/cli/setting-values.ts'
import { optionList, synopsis } from '../tools/cli/usage.ts'
import { onTable } from '../tools/operator/command-table.ts'
import { reapplyErasures } from '../tools/operator/erasures.ts'

const options = {
  from: { value: 'TABLE', isRequired: true, about: 'the table with the changes' },
  to: { value: 'RESTORED_TABLE', isRequired: true, about: 'the table in which the changes are repeated' },
  region: { value: 'REGION', about: 'the region of both tables; by default, the region of the environment' },
  after: {
    value: 'POSITION',
    about: 'the position from which to continue, which a run that failed has printed',
  },
} as const satisfies Options

await runCommand({
  name: 'erasures',
  usage: `usage: npm run erasures -- ${synopsis(options)}

Repeats in a restored table the changes that TABLE shows: erasures of customers, revoked keys, disabled and removed
applications (which it disables). Prints JSON. Can be run again; after a failure, --after continues where it stopped.

${optionList(options)}`,
  run: async (args) => {
    const { from, to: table, region, after } = parseOptions(args, options).values
    const { show, end } = progressDisplay()
    const repeated = await onTable({ table, region }, process.env, () =>
      reapplyErasures(withoutKey('--from', from), { after, show }).finally(end),
    )
    console.log(printableJson(repeated))
  },
})
