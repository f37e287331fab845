import { parseArgs } from 'node:util'
import { reapplyErasures } from '../shared/local/erasures.ts'

const text = { type: 'string' } as const

try {
  const { from, to, region } = parseArgs({ options: { from: text, to: text, region: text } }).values
  if (!from || !to) throw new Error('--from and --to are both needed')
  Object.assign(process.env, { TABLE_NAME: to, ...(region ? { AWS_REGION: region } : {}) })
  console.log(JSON.stringify(await reapplyErasures(from), null, 2))
} catch (error) {
  console.error(`erasures: ${(error as Error).message || (error as Error).name}`)
  console.error('usage: npm run erasures -- --from TABLE --to RESTORED_TABLE [--region REGION]')
  process.exitCode = 1
}
