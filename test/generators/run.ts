import { execFile } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { catalogue } from '../../shared/catalogue.ts'
import { setLogSink } from '../../shared/log.ts'
import { createApplication } from '../../tools/applications/applications.ts'
import { startService } from '../../tools/local/service.ts'
import { localSettings } from '../../tools/local/settings.ts'
import { missingTool } from '../support/missing-tool.ts'
import { pythonPackages } from '../support/python-packages.ts'
import { countedNames, type Generator, generators, warningsIn } from './generators.ts'
import { sampleFolders, writeSamples } from './samples.ts'

/**
 * Generates a client with every generator, compiles it, and runs a program that uses it against a service of our own:
 * no warning, no counted name, and the same answers in every language.
 */

const here = 'test/generators'
const work = resolve('dist/generators')
const root = resolve('node_modules/.bin')

/** What every program prints. */
const expected = `products: Plan 3, Plan 2 | Plan 1
invoice: 999 Ann Example 1
404: Entity not found
422: 2 details
updated: Ann Example <ann@new.example.org>
`

/** The commands of the installed generators, and the address of the service. */
interface Place {
  readonly commands: string
  readonly baseUrl: string
}

const logLines: string[] = []
setLogSink((line) => logLines.push(line))

const started = performance.now()
const say = (text: string): void =>
  console.log(`${((performance.now() - started) / 1000).toFixed(0).padStart(3)} s  ${text}`)

/** Runs a command and returns what it printed; throws with that when it fails. */
const run = async (command: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<string> => {
  const [program = '', ...args] = command
  const done = promisify(execFile)(program, args, { cwd, env, maxBuffer: Number.POSITIVE_INFINITY })
  const { stdout, stderr } = await done.catch(({ message, stdout }) => {
    throw new Error(`${message}\n${stdout}`)
  })
  return stdout + stderr
}

const installNpmPackages = async (): Promise<void> => {
  const lock = readFileSync(join(here, 'package-lock.json'), 'utf8')
  const installed = join(work, 'node_modules', 'installed-lock.json')
  if (existsSync(installed) && readFileSync(installed, 'utf8') === lock) return
  await run(['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund'], work, process.env)
  writeFileSync(installed, lock)
}

const tsconfig = {
  compilerOptions: {
    ...{ noEmit: true, strict: true, target: 'es2022', module: 'esnext', moduleResolution: 'bundler' },
    ...{ allowImportingTsExtensions: true, skipLibCheck: true, types: ['node'] },
    paths: { 'billing-data-api/client': [resolve('client/index.ts')] },
  },
}

/** Compiles the program `name` of a folder with its client, and returns the command that runs it. */
type Compile = (name: string, folder: string, env: NodeJS.ProcessEnv) => Promise<readonly string[]>

const compile: Readonly<Record<Generator['language'], Compile>> = {
  typescript: async (name, folder, env) => {
    const [source, outfile] = [`${name}.ts`, `${name}.mjs`]
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...tsconfig, files: [source] }))
    await run(['tsc', '-p', '.'], folder, env)
    await build({
      ...{ entryPoints: [source], outfile, absWorkingDir: folder },
      ...{ bundle: true, platform: 'node', format: 'esm', logLevel: 'error' },
    })
    return ['node', outfile]
  },
  python: async (name, folder, env) => {
    await run(['python', '-m', 'compileall', '-q', '.'], folder, env)
    return ['python', `${name}.py`]
  },
  go: async (name, folder, env) => {
    const source = existsSync(join(folder, `${name}.go`)) ? `${name}.go` : `./${name}`
    await run(['go', 'build', '-o', `${name}.run`, source], folder, env)
    return [`./${name}.run`]
  },
}

const namesIn = ({ language }: Generator, folder: string): string[] =>
  globSync(join(folder, 'client/**/*.{ts,py,go}')).flatMap((file) =>
    countedNames(language, readFileSync(file, 'utf8')),
  )

/** The environment of a program: that of an application of its own. */
const environmentOf = async (name: string, { commands, baseUrl }: Place) => {
  const { app_id, api_key } = await createApplication(name)
  return {
    ...process.env,
    PATH: [root, join(work, 'node_modules/.bin'), commands, process.env.PATH].join(delimiter),
    // Each program runs for seconds, so optimising it would take longer than it saves.
    JDK_JAVA_OPTIONS: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC',
    GOFLAGS: "-buildvcs=false '-gcflags=all=-N -l'",
    ...{ BILLING_URL: baseUrl, BILLING_APP_ID: app_id, BILLING_API_KEY: api_key },
  }
}

/** Runs the code samples of a language; each must be answered with 200. */
const checkSamples = async (language: Generator['language'], place: Place): Promise<string[]> => {
  const folder = join(work, sampleFolders[language])
  writeSamples(language, folder, place.baseUrl)
  const env = await environmentOf(`${language} samples`, place)
  const printed = await run(await compile[language]('samples', folder, env), folder, env)
  const answered = logLines
    .map((line) => JSON.parse(line) as { app_id?: string; route?: string; status?: number })
    .filter(({ app_id }) => app_id === env.BILLING_APP_ID)
    .map(({ route, status }) => `${route} ${status}`)
  say(`code samples in ${language}: compiled and run`)
  const wanted = catalogue.map(({ id }) => `${id} 200`)
  return answered.join() === wanted.join()
    ? []
    : [`The code samples in ${language} were answered with ${answered.join(', ')} and printed:\n${printed}`]
}

/** Checks one generator, and the code samples that use its client; returns what is wrong, or nothing. */
const check = async (generator: Generator, place: Place): Promise<string[]> => {
  const { name, language, command } = generator
  const folder = join(work, name)
  rmSync(folder, { recursive: true, force: true })
  cpSync(join(here, name), folder, { recursive: true })
  mkdirSync(join(folder, 'client'))
  const env = await environmentOf(name, place)
  const warnings = warningsIn(await run(command, folder, env))
  const counted = namesIn(generator, folder)
  say(`${name}: generated`)
  const printed = await run(await compile[language]('program', folder, env), folder, env)
  say(`${name}: compiled and run`)
  return [
    ...warnings.map((line) => `${name} warns: ${line}`),
    ...counted.map((line) => `${name} counts: ${line}`),
    ...(printed === expected ? [] : [`${name} printed:\n${printed}instead of\n${expected}`]),
    ...(sampleFolders[language] === name ? await checkSamples(language, place) : []),
  ]
}

const checkAll = async (commands: string): Promise<string[]> => {
  const service = await startService(localSettings({ PORT: '0', DYNAMODB_PORT: '0' }, ['--memory']))
  try {
    const document = await (await fetch(`${service.baseUrl}/openapi.json`)).text()
    writeFileSync(join(work, 'openapi.json'), document)
    const named = process.argv.slice(2)
    const chosen = generators.filter(({ name }) => named.length === 0 || named.includes(name))
    const place = { commands, baseUrl: service.baseUrl }
    const checks = [
      ...chosen.map((generator) => check(generator, place)),
      ...(named.length === 0 ? [checkSamples('typescript', place)] : []),
    ]
    return (await Promise.all(checks.map((faults) => faults.catch((error: Error) => [error.message])))).flat()
  } finally {
    await service.stop()
  }
}

mkdirSync(work, { recursive: true })
for (const file of ['package.json', 'package-lock.json', 'go.mod', 'go.sum'])
  cpSync(join(here, file), join(work, file))
say('installing the generators, which takes a moment once')
const npmPackages = installNpmPackages().then(
  () => undefined,
  (error: Error) => error,
)
const commands = pythonPackages('generators', join(here, 'requirements.txt'))
const npmFault = await npmPackages
if (commands && !npmFault) {
  const faults = await checkAll(commands)
  for (const fault of faults) console.error(fault)
  say(faults.length === 0 ? 'every client gives the same answers' : `${faults.length} faults`)
  if (faults.length > 0) process.exitCode = 1
} else {
  missingTool('the generators need npm, Python 3 and their package registries.')
  if (npmFault) console.error(npmFault.message)
}
