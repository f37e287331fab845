import { statSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { buildSync } from 'esbuild'
import { buildPackage } from '../tools/package/build.ts'

const folder = 'dist/package'
await buildPackage(folder)
const { outputFiles } = buildSync({
  entryPoints: [`${folder}/esm/client/index.js`],
  bundle: true,
  minify: true,
  format: 'esm',
  write: false,
})
const client = outputFiles[0]!.contents
console.log(`client   ${client.length} bytes minified, ${gzipSync(client).length} gzipped
program  ${statSync(`${folder}/bin/program.cjs`).size} bytes
Publish or install it: npm pack ./${folder}`)
