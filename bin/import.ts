import { importMain } from '../tools/transfer/import-main.ts'

await importMain('npm run --silent import --', process.argv.slice(2), process.env)
