import { runCommand } from '../tools/operator/command.ts'
import { releases, releasesUsage } from '../tools/operator/releases.ts'

await runCommand({
  name: 'releases',
  usage: releasesUsage,
  run: async (args) => {
    const { text, ok } = await releases(args)
    console.log(text)
    process.exitCode = ok ? 0 : 1
  },
})
