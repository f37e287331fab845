import { importMain } from '../tools/transfer/import/import-command.ts'

await importMain('npm run --silent import --', process.argv.slice(2), process.env)
