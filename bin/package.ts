import { readFileSync, statSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { transformSync } from 'esbuild'
import { buildPackage } from '../tools/package/build.ts'

const folder = 'dist/package'
await buildPackage(folder)
const client = transformSync(readFileSync(`${folder}/esm/client/index.js`, 'utf8'), { minify: true }).code
console.log(`client   ${client.length} bytes minified, ${gzipSync(client).length} gzipped
program  ${statSync(`${folder}/bin/program.cjs`).size} bytes
Publish or install it: npm pack ./${folder}`)
