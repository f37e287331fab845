import { buildPackage } from '../tools/package/build.ts'

const folder = 'dist/package'
await buildPackage(folder)
console.log(`Publish or install it: npm pack ./${folder} --pack-destination ..`)
