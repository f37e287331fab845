import { spawnSync } from 'node:child_process'
import { prepareDeployment } from '../lib/stack/deployment.ts'
import { asStartError, runCommand } from '../tools/operator/command.ts'

await runCommand({
  name: 'deploy',
  usage: `usage: npm run deploy -- [-c stage=STAGE] [--hotfix] [OPTIONS OF cdk deploy]
       An update is rolled back if the alarm 5xx-rate is on while it runs or in the ten minutes after it.
       --hotfix deploys although the alarm is on, and without those ten minutes.`,
  run: async (args) => {
    const all = await prepareDeployment(args).catch((error: unknown) => {
      throw asStartError(error)
    })
    process.exitCode = spawnSync('npx', ['cdk', ...all], { stdio: 'inherit' }).status ?? 1
  },
})
