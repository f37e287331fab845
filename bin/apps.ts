import { run } from '../shared/local/apps.ts'

run(process.argv.slice(2), process.env).then(
  (output) => console.log(output),
  (error: unknown) => {
    console.error(`apps: ${error instanceof Error ? error.message || error.name : String(error)}`)
    process.exitCode = 1
  },
)
