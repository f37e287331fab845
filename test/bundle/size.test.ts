import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { BUNDLE, bundleFunctions, ENTRY } from '../../lib/bundle/bundle.ts'
import { catalogue, deployables } from '../../shared/catalogue.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const bundles = bundleFunctions(temporaryFolder())

/** Code that no bundle may contain: schema compilers, tracing, clients with all operations, credential providers. */
const banned = [
  /\/ajv\/(?!dist\/runtime\/(?:ucs2length|equal)\.js)/,
  /aws-xray/,
  /client-dynamodb\/dist-[a-z]+\/DynamoDB\.js/,
  /lib-dynamodb\/dist-[a-z]+\/DynamoDBDocument\.js/,
  /create-aggregated-client/,
  /nested-clients/,
  /node_modules\/@aws-sdk\/credential-provider-(?!env\/)/,
  /aws-cdk-lib/,
  /^(?:shared\/openapi|tools)\//,
]

describe('what is deployed', () => {
  it('is one bundle for each endpoint and for the document', async () => {
    expect((await bundles).map(({ deployable }) => deployable.id)).toEqual(deployables.map(({ id }) => id))
  })

  it.each(catalogue.map(({ id }) => id))('%s is small and contains no unused code', async (id) => {
    const { folder, metafile } = (await bundles).find(({ deployable }) => deployable.id === id)!
    expect(readdirSync(folder).toSorted()).toEqual([BUNDLE, ENTRY])
    const code = Buffer.concat([BUNDLE, ENTRY].map((file) => readFileSync(join(folder, file))))
    // P1
    expect(code.length).toBeLessThanOrEqual(250_000)
    expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(80_000)
    // The SDK's import() of node:http would evaluate all exports and so load undici at every start.
    expect(code.toString()).not.toMatch(/\bimport\("/)
    expect(code.toString()).not.toMatch(/require\("node:zlib"\)/)
    // P3
    const [output] = Object.values(metafile.outputs)
    const inputs = Object.entries(output!.inputs).flatMap(([file, { bytesInOutput }]) =>
      bytesInOutput > 0 ? [file] : [],
    )
    expect(inputs.length).toBeGreaterThan(100)
    expect(inputs.filter((file) => banned.some((pattern) => pattern.test(file)))).toEqual([])
  })
})
