import { spawnSync } from 'node:child_process'
import { prepareDeployment } from '../lib/stack/deployment.ts'
import { asCommandError, runCommand } from '../tools/cli/command.ts'
import { readSecret } from '../tools/cli/secret.ts'
import { deploymentFrom, deployUsage } from '../tools/operator/deploy-options.ts'

await runCommand({
  name: 'deploy',
  usage: deployUsage,
  run: async (args) => {
    const readCode = (serial: string) => readSecret(`MFA code of ${serial}`, process.stdin)
    const { notes, differences, env, ...deployment } = await prepareDeployment(deploymentFrom(args), {
      env: process.env,
      readCode,
    }).catch((error: unknown) => {
      throw asCommandError(error)
    })
    for (const line of notes) console.error(`deploy: ${line}`)
    if (differences.length > 0) {
      const commands = differences.map(([, command]) => command).filter((command) => command !== undefined)
      console.error(
        [
          'deploy: nothing was deployed, because the table in use',
          ...differences.map(([how]) => `- ${how}`),
          ...(commands.length > 0 ? ['', 'These commands change it:', '', ...commands] : []),
          '',
          'Then deploy again.',
        ].join('\n'),
      )
      process.exitCode = 1
      return
    }
    process.exitCode = spawnSync('npx', ['cdk', ...deployment.args], { stdio: 'inherit', env }).status ?? 1
  },
})
