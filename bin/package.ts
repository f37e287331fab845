import { runCommand } from '../tools/cli/command.ts'
import { prepareOutput } from '../tools/cli/output-folder.ts'
import { buildPackage } from '../tools/package/build.ts'

const folder = 'dist/package'

await runCommand({
  name: 'package',
  usage: `usage: npm run package

Builds the npm package of client, figures and test double in ${folder}.`,
  run: async () => {
    prepareOutput(folder)
    await buildPackage(folder)
    console.log(`Publish or install it: npm pack ./${folder} --pack-destination ..`)
  },
})
