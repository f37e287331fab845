import { bundleFunctions } from '../lib/bundle/bundle.ts'
import { deployedPackages } from '../lib/bundle/deployed.ts'

const bundles = await bundleFunctions('dist/functions')
const packages = deployedPackages(
  process.cwd(),
  bundles.map(({ metafile }) => metafile),
)
for (const { name, version, license } of packages)
  console.log(`${name.padEnd(40)} ${version.padEnd(12)} ${license}`)
console.log(`${packages.length} packages`)
