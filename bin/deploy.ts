import { spawnSync } from 'node:child_process'
import { prepareDeployment } from '../lib/stack/deployment.ts'
import type { Difference } from '../lib/stack/table-check.ts'
import { asCommandError, runCommand } from '../tools/cli/command.ts'
import { readSecret } from '../tools/cli/secret.ts'
import { deploymentFrom, deployUsage } from '../tools/operator/deploy-options.ts'

const refusal = (differences: readonly Difference[]): string => {
  const commands = differences.map(([, command]) => command).filter((command) => command !== undefined)
  return [
    'deploy: nothing was deployed, because the table in use',
    ...differences.map(([description]) => `- ${description}`),
    ...(commands.length > 0 ? ['', 'These commands change it:', '', ...commands] : []),
    '',
    'Then deploy again.',
  ].join('\n')
}

await runCommand({
  name: 'deploy',
  usage: deployUsage,
  run: async (args) => {
    const readCode = (serial: string) => readSecret(`MFA code of ${serial}`, process.stdin)
    const request = deploymentFrom(args)
    const deployment = await prepareDeployment(request, { env: process.env, readCode }).catch(
      (error: unknown) => {
        throw asCommandError(error)
      },
    )
    const { notes, differences, env } = deployment
    for (const line of notes) console.error(`deploy: ${line}`)
    if (differences.length > 0) {
      console.error(refusal(differences))
      process.exitCode = 1
      return
    }
    process.exitCode = spawnSync('npx', ['cdk', ...deployment.args], { stdio: 'inherit', env }).status ?? 1
  },
})
