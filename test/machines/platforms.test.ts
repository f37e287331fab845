import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ENGINE_VERSION, enginePlatforms } from '../../tools/local/engine.ts'
import { freeSettings, killLocalProcesses, runToEnd } from '../support/processes/local-process.ts'
import { temporaryFolder } from '../support/processes/temporary-folder.ts'

afterAll(killLocalProcesses)

interface LockedPackage {
  readonly version?: string
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly optional?: boolean
}

const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  optionalDependencies: Readonly<Record<string, string>>
}
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Readonly<Record<string, LockedPackage>>
}

/** For the engine of a platform, in package.json and the lock file. */
const missingEntries = (platform: string): string[] => {
  const name = `@dynoxide/${platform}`
  const [os, cpu] = platform.split('-')
  const locked: LockedPackage = packages[`node_modules/${name}`] ?? {}
  const missing: string[] = []
  if (optionalDependencies[name] !== ENGINE_VERSION)
    missing.push(`package.json: optionalDependencies["${name}"] must be "${ENGINE_VERSION}"`)
  if (locked.version !== ENGINE_VERSION)
    missing.push(`package-lock.json: "${name}" must have version "${ENGINE_VERSION}"`)
  if (locked.os?.join() !== os) missing.push(`package-lock.json: "${name}" must have os ["${os}"]`)
  if (locked.cpu?.join() !== cpu) missing.push(`package-lock.json: "${name}" must have cpu ["${cpu}"]`)
  if (!locked.optional) missing.push(`package-lock.json: "${name}" must be optional`)
  return missing
}

it.each(enginePlatforms)('installs the engine of %s from the lock file', (platform) => {
  expect(missingEntries(platform)).toEqual([])
})

/** The engine of the other platform is not installed. */
const startOn = (platform: string) => {
  const [os, cpu] = platform.split('-')
  const platformModule = join(temporaryFolder(), 'platform.cjs')
  const properties = { platform: { value: os }, arch: { value: cpu } }
  writeFileSync(platformModule, `Object.defineProperties(process, ${JSON.stringify(properties)})`)
  return runToEnd(process.execPath, ['--require', platformModule, 'bin/local.ts'], freeSettings())
}

const DYNAMODB_LOCAL =
  'set DYNAMODB_ENDPOINT=http://127.0.0.1:8000 and run Amazon\'s DynamoDB Local there: "docker run -p 8000:8000 amazon/dynamodb-local"'

it.each(['darwin-arm64', 'linux-arm64'])(
  'reports in one line that the engine of %s is missing',
  async (platform) => {
    expect(await startOn(platform)).toMatchObject({
      code: 1,
      out: '',
      err: `start: the DynamoDB engine of this platform, @dynoxide/${platform}, is not installed; run "npm ci --include=optional", or ${DYNAMODB_LOCAL}\n`,
    })
  },
)

it('reports in one line that a platform has no engine', async () => {
  expect(await startOn('freebsd-x64')).toMatchObject({
    code: 1,
    out: '',
    err: `start: there is no DynamoDB engine for freebsd-x64, only for ${enginePlatforms.join(', ')}; ${DYNAMODB_LOCAL}\n`,
  })
})
