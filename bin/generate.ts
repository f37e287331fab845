import { writeFileSync } from 'node:fs'
import { runCommand } from '../tools/cli/command.ts'
import { parseOptions } from '../tools/cli/options.ts'
import { optionList } from '../tools/cli/usage.ts'
import { generatedFiles } from '../tools/package/generated-files.ts'

await runCommand({
  name: 'generate',
  usage: `usage: npm run generate

Writes the committed files that are derived from the catalogue: the operations of the client, the OpenAPI document, and the
table of fields in the documentation.

${optionList({})}`,
  run: async (args) => {
    parseOptions(args, {})
    for (const [file, text] of Object.entries(generatedFiles())) writeFileSync(file, text)
  },
})
