import { importMain } from '../tools/transfer/import-main.ts'

await importMain(process.argv.slice(2), process.env)
