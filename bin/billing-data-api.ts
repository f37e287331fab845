import { testDoubleMain } from '../tools/testing/program.ts'
import { importMain } from '../tools/transfer/import/import-command.ts'

// The command of the npm package: the test double or, with "import", the import. Without a top-level await,
// because the package contains it as CommonJS.
const args = process.argv.slice(2)
void (args[0] === 'import'
  ? importMain('npx --no -- billing-data-api import', args.slice(1), process.env)
  : testDoubleMain(args))
