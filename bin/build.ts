import { statSync } from 'node:fs'
import { join } from 'node:path'
import { BUNDLE, bundleFunctions } from '../lib/bundle/bundle.ts'
import { deployables } from '../shared/catalogue.ts'

const outDir = 'dist/functions'
const report = (name: string, folder: string): void => {
  const { size } = statSync(join(folder, BUNDLE))
  console.log(`${name.padEnd(24)} ${String(size).padStart(9)} bytes  ${folder}`)
}

for (const { deployable, folder } of await bundleFunctions(outDir, deployables, true))
  report(deployable.id, folder)
