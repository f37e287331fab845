import { main } from '../tools/testing/program.ts'
import { importMain } from '../tools/transfer/import-main.ts'

const [command, ...args] = process.argv.slice(2)
void (command === 'import'
  ? importMain('npx billing-data-api import', args, process.env)
  : main(process.argv.slice(2)))
