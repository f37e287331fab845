import { execFile } from 'node:child_process'
import { copyFileSync, cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { currentService } from '../../shared/store/service.ts'
import { createApplication } from '../../tools/applications/applications.ts'
import { startService } from '../../tools/local/service.ts'
import { localSettings } from '../../tools/local/settings.ts'
import { reportMissingTool } from '../support/packages/missing-tool.ts'
import { installNpmPackages, npmPackagesFolder } from '../support/packages/npm-packages.ts'
import { installPythonPackages } from '../support/packages/python-packages.ts'
import { type Generator, generators, numberedNames, warningsIn } from './generators.ts'

/**
 * Generates a client with each generator, compiles it, and runs a program that uses it against a local
 * service. Fails for a warning, a numbered name, or a response that differs among languages.
 */

const sources = 'test/generators'

/** The output of every program. */
const expectedOutput = `products: Plan 3, Plan 2 | Plan 1
invoice: 999 Ann Example Plan 1
subscription: 999
404: Entity not found
422: 2 details
updated: Ann Example <ann@new.example.org>
`

/** Throws Error with the output if the command fails. */
const run = async (command: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<string> => {
  const [program = '', ...args] = command
  const running = promisify(execFile)(program, args, { cwd, env, maxBuffer: Number.POSITIVE_INFINITY })
  const { stdout, stderr } = await running.catch(({ message, stdout }) => {
    throw new Error(`${message}\n${stdout}`)
  })
  return stdout + stderr
}

const tsconfig = {
  compilerOptions: {
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    types: ['node'],
    noEmit: true,
    strict: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
  },
  files: ['program.ts'],
}

/** Returns the command that runs the program. */
type Compile = (folder: string, env: NodeJS.ProcessEnv) => Promise<readonly string[]>

const compile: Readonly<Record<Generator['language'], Compile>> = {
  typescript: async (folder, env) => {
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig))
    await run(['tsc', '-p', '.'], folder, env)
    const source = join(folder, 'program.ts')
    const bundle = join(folder, 'program.mjs')
    await build({ entryPoints: [source], outfile: bundle, bundle: true, platform: 'node', format: 'esm' })
    return ['node', bundle]
  },
  python: async (folder, env) => {
    await run(['python', '-m', 'compileall', '-q', '.'], folder, env)
    return ['python', 'program.py']
  },
  go: async (folder, env) => {
    await run(['go', 'build', '-o', 'program', 'program.go'], folder, env)
    return ['./program']
  },
}

const createEnvironment = async (name: string, path: readonly string[], baseUrl: string) => {
  const { app_id, api_key } = await createApplication(name)
  return {
    ...process.env,
    PATH: [...path, process.env.PATH].join(delimiter),
    // Each program runs for seconds, so optimising it would take longer than it saves.
    GOFLAGS: "-buildvcs=false '-gcflags=all=-N -l'",
    BILLING_URL: baseUrl,
    BILLING_APP_ID: app_id,
    BILLING_API_KEY: api_key,
  }
}

/** Returns the faults. `path` is a list of the folders that contain the commands. */
const check = async (
  { name, language, command }: Generator,
  path: readonly string[],
  baseUrl: string,
): Promise<string[]> => {
  const folder = join(npmPackagesFolder, name)
  rmSync(folder, { recursive: true, force: true })
  cpSync(join(sources, name), folder, { recursive: true })
  copyFileSync(join(npmPackagesFolder, 'openapi.json'), join(folder, 'openapi.json'))
  const env = await createEnvironment(name, path, baseUrl)
  const warnings = warningsIn(await run(command.split(' '), folder, env))
  const numbered = globSync(join(folder, 'client/**/*.{ts,py,go}')).flatMap((file) =>
    numberedNames(language, readFileSync(file, 'utf8')),
  )
  const output = await run(await compile[language](folder, env), folder, env)
  console.log(`${name}: generated, compiled and run`)
  return [
    ...warnings.map((line) => `${name} warns: ${line}`),
    ...numbered.map((numberedName) => `${name} numbers the name ${numberedName}`),
    ...(output === expectedOutput ? [] : [`${name} printed:\n${output}instead of\n${expectedOutput}`]),
  ]
}

const checkAll = async (path: readonly string[]): Promise<string[]> => {
  currentService().log = () => undefined
  const service = await startService(localSettings({ PORT: '0' }, ['--memory']))
  try {
    const document = await (await fetch(`${service.baseUrl}/openapi.json`)).text()
    writeFileSync(join(npmPackagesFolder, 'openapi.json'), document)
    const faults = await Promise.all(
      generators.map((generator) =>
        check(generator, path, service.baseUrl).catch((error: Error) => [error.message]),
      ),
    )
    return faults.flat()
  } finally {
    await service.stop()
  }
}

const npmCommands = await installNpmPackages()
const pythonCommands = installPythonPackages()
if (pythonCommands) {
  for (const file of ['go.mod', 'go.sum']) copyFileSync(join(sources, file), join(npmPackagesFolder, file))
  const faults = await checkAll([resolve('node_modules/.bin'), npmCommands, pythonCommands])
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) process.exitCode = 1
} else reportMissingTool('the generators need Python 3 and its package registry.')
