import { runCommand } from '../tools/cli/command.ts'
import { parseOptions } from '../tools/cli/options.ts'
import { prepareOutputFolder } from '../tools/cli/output-folder.ts'
import { optionList } from '../tools/cli/usage.ts'
import { buildPackage } from '../tools/package/build.ts'

const folder = 'dist/package'

await runCommand({
  name: 'package',
  usage: `usage: npm run package

Builds the npm package of the client, the figures and the test double in ${folder}.

${optionList({})}`,
  run: async (args) => {
    parseOptions(args, {})
    prepareOutputFolder(folder)
    await buildPackage(folder)
    console.log(`Publish or install it: npm pack ./${folder} --pack-destination ..`)
  },
})
