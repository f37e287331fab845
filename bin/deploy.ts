import { spawnSync } from 'node:child_process'
import { type Obstacle, prepareDeployment } from '../lib/stack/deployment.ts'
import { asCommandError, runCommand } from '../tools/cli/command.ts'
import { readSecret } from '../tools/cli/secret.ts'
import { deploymentFrom, deployUsage } from '../tools/operator/deploy-options.ts'

const refusal = ({ subject, differences }: Obstacle): string => {
  const commands = differences.map(([, command]) => command).filter((command) => command !== undefined)
  return [
    `deploy: nothing was deployed, because ${subject}`,
    ...differences.map(([description]) => `- ${description}`),
    ...(commands.length > 0 ? ['', 'Commands that change this:', '', ...commands] : []),
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
    const { notes, obstacle, env } = deployment
    if (obstacle) {
      console.error(refusal(obstacle))
      process.exitCode = 1
      return
    }
    for (const line of notes) console.error(`deploy: ${line}`)
    process.exitCode = spawnSync('npx', ['cdk', ...deployment.args], { stdio: 'inherit', env }).status ?? 1
  },
})
