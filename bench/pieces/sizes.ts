import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { bundles } from '../bundles.ts'
import type { Piece } from '../piece.ts'

const notDeployed =
  /\/ajv\/(?!dist\/runtime\/)|aws-xray|DynamoDB(?:Document)?\.js$|create-aggregated-client|nested-clients/

/** P1 and P3: sizes of the deployed bundles. */
export const sizes: Piece = {
  ids: ['P1', 'P3'],
  run: async () => {
    const { functions, baseline, fileOf } = await bundles()
    const codes = functions.map(({ deployable }) => readFileSync(fileOf(deployable.id)))
    const largest = Math.max(...codes.map(({ length }) => length))
    const zipped = Math.max(...codes.map((code) => gzipSync(code, { level: 9 }).length))
    const unwanted = functions
      .flatMap(({ metafile }) => Object.values(metafile.outputs))
      .flatMap(({ inputs }) => Object.entries(inputs))
      .reduce((sum, [file, { bytesInOutput }]) => sum + (notDeployed.test(file) ? bytesInOutput : 0), 0)
    const bare = readFileSync(baseline).length
    const what = 'schema compiler, tracing, aggregated clients in all bundles'
    const kilobytes = (title: string, bytes: number) => ({ what: title, unit: 'kB', ours: bytes / 1000 })
    return [
      { ...kilobytes('largest bundle, minified', largest), goal: { most: 300 }, stretch: { most: 250 } },
      { ...kilobytes('largest bundle, gzip -9', zipped), goal: { most: 80 } },
      kilobytes('bare client and three commands, for comparison', bare),
      { id: 'P3', what, unit: 'bytes', ours: unwanted, goal: { most: 0 } },
    ]
  },
}
