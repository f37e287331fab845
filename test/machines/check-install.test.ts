import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ENGINE_VERSION, enginePlatforms } from '../../tools/local/engine.ts'
import { freeSettings, killLocalProcesses, runToEnd } from '../support/processes/local-process.ts'
import { temporaryFolder } from '../support/processes/temporary-folder.ts'

const GUARD = 'node bin/check-install.js && '

const { scripts, dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
  'scripts' | 'dependencies' | 'devDependencies',
  Readonly<Record<string, string>>
>

it('runs the check of the install before every command of package.json, and before the app of the CDK', () => {
  const { app } = JSON.parse(readFileSync('cdk.json', 'utf8')) as { app: string }
  const commands = Object.entries({ ...scripts, cdk: app })
  // "postinstall" is part of the install, and "check" consists of other commands.
  const unguarded = commands.filter(([, command]) => !command.startsWith(GUARD)).map(([name]) => name)
  expect(unguarded).toEqual(['postinstall', 'check'])
})

describe('the check of the install', () => {
  const project = temporaryFolder()
  const packageFolder = (name: string) => join(project, 'node_modules', name)
  const runCheck = (...flags: string[]) =>
    runToEnd(process.execPath, [...flags, join(project, 'bin/check-install.js')])

  beforeAll(() => {
    mkdirSync(join(project, 'bin'))
    for (const file of ['package.json', 'bin/check-install.js']) copyFileSync(file, join(project, file))
    for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
      mkdirSync(packageFolder(name), { recursive: true })
      writeFileSync(join(packageFolder(name), 'package.json'), '{}')
    }
  })

  it('prints nothing if everything is installed', async () => {
    expect(await runCheck()).toMatchObject({ code: 0, out: '', err: '' })
  })

  it('names the version of Node that it found, the version that is needed, and the command that sets it up', async () => {
    // With the flag, this Node does not read TypeScript.
    expect(await runCheck('--no-experimental-strip-types')).toMatchObject({
      code: 1,
      out: '',
      err: `This is Node ${process.versions.node}, and the project needs Node 22.18 or newer. The Node ${devDependencies.node} that it brings was not set up, since install scripts are disabled. Run: npm rebuild node --ignore-scripts=false\n`,
    })
  })

  it('names the missing packages and the command that installs them', async () => {
    rmSync(packageFolder('ajv'), { recursive: true })
    expect(await runCheck()).toMatchObject({
      code: 1,
      out: '',
      err: 'ajv of this project is not installed. Run: npm ci --include=dev\n',
    })
    rmSync(packageFolder('jest'), { recursive: true })
    expect((await runCheck()).err).toBe(
      'ajv and 1 other package of this project are not installed. Run: npm ci --include=dev\n',
    )
    rmSync(join(project, 'node_modules'), { recursive: true })
    expect((await runCheck()).err).toMatch(/^\S+ and \d+ other packages of this project are not installed\./)
  })
})

describe('platforms', () => {
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
})
