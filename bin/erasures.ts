import { parseArgs } from 'node:util'
import { asStartError, runCommand, UsageError } from '../tools/operator/command.ts'
import { reapplyErasures } from '../tools/operator/erasures.ts'

const text = { type: 'string' } as const

await runCommand({
  name: 'erasures',
  usage: 'usage: npm run erasures -- --from TABLE --to RESTORED_TABLE [--region REGION]',
  run: async (args) => {
    const options = { from: text, to: text, region: text }
    const { from, to, region } = parseArgs({ args: [...args], options }).values
    if (!from || !to) throw new UsageError('--from and --to are required')
    Object.assign(process.env, { TABLE_NAME: to, ...(region ? { AWS_REGION: region } : {}) })
    try {
      console.log(JSON.stringify(await reapplyErasures(from), null, 2))
    } catch (error) {
      throw asStartError(error)
    }
  },
})
