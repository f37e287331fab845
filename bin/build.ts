import { statSync } from 'node:fs'
import { join } from 'node:path'
import { BUNDLE_FILE, bundleFunctions } from '../lib/bundle/bundle.ts'
import { deployables } from '../shared/catalogue.ts'
import { runCommand } from '../tools/cli/command.ts'
import { parseOptions } from '../tools/cli/options.ts'
import { prepareOutputFolder } from '../tools/cli/output-folder.ts'
import { optionList } from '../tools/cli/usage.ts'

const outDir = 'dist/functions'

const report = (name: string, folder: string): void => {
  const { size } = statSync(join(folder, BUNDLE_FILE))
  console.log(`${name.padEnd(24)} ${String(size).padStart(9)} bytes  ${folder}`)
}

await runCommand({
  name: 'build',
  usage: `usage: npm run build

Bundles every function into a folder of its own below ${outDir}, with source maps.

${optionList({})}`,
  run: async (args) => {
    parseOptions(args, {})
    prepareOutputFolder(outDir)
    for (const { deployable, folder } of await bundleFunctions(outDir, deployables, true))
      report(deployable.id, folder)
  },
})
