import { statSync } from 'node:fs'
import { join } from 'node:path'
import { bundleFunctions } from '../lib/bundle.ts'

const bundles = await bundleFunctions('dist/functions')
for (const { endpoint, folder } of bundles)
  console.log(
    `${endpoint.id.padEnd(24)} ${String(statSync(join(folder, 'index.js')).size).padStart(9)} bytes  ${folder}`,
  )
