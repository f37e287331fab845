import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { enginePlatforms } from '../../tools/local/engine.ts'
import { startEngineRegistry } from './engine-registry.ts'

/**
 * Installs and starts the project as on other machines: with npm 10 and 11, with install scripts disabled,
 * with other versions of Node, in a path with a space. Also installs the engine of each platform from the
 * lock file.
 */

const run = promisify(execFile)
const npmVersions = ['10.9.4', '11.6.2']
const oldNode = '20.20.2'
const newNodes = ['22.18.0', '24.21.0', '26.10.0']

const folder = mkdtempSync(join(tmpdir(), 'billing-machines-'))
const project = join(folder, 'My Projects', 'api')

const expectEqual = (description: string, actual: unknown, expected: unknown): void => {
  const [actualJson, expectedJson] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (actualJson !== expectedJson)
    throw new Error(`${description}: expected ${expectedJson}, got ${actualJson}`)
  console.log(`${description}: ok`)
}

const npm = (version: string, cwd: string, ...args: string[]) =>
  run('npx', ['--yes', `npm@${version}`, ...args], { cwd })

/** As on each platform. */
const checkEngines = async (): Promise<void> => {
  const registry = await startEngineRegistry(folder)
  const engineProject = join(folder, 'engines')
  mkdirSync(engineProject)
  const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  const { packages, ...lock } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const entries: Record<string, object> = { '': { name: lock.name, optionalDependencies } }
  for (const name of Object.keys(optionalDependencies)) {
    // The engines of this registry have other checksums.
    const { integrity, ...entry } = packages[`node_modules/${name}`]
    entries[`node_modules/${name}`] = entry
  }
  writeFileSync(
    join(engineProject, 'package.json'),
    JSON.stringify({ name: lock.name, optionalDependencies }),
  )
  writeFileSync(join(engineProject, 'package-lock.json'), JSON.stringify({ ...lock, packages: entries }))
  for (const version of npmVersions)
    for (const platform of enginePlatforms) {
      const [os, cpu] = platform.split('-')
      const options = [`--os=${os}`, `--cpu=${cpu}`, `--cache=${join(folder, 'cache', version, platform)}`]
      registry.forget()
      await npm(version, engineProject, 'ci', registry.option, ...options)
      expectEqual(`npm ${version} on ${platform} downloads its engine alone`, registry.downloaded(), [
        platform,
      ])
    }
  registry.close()
}

/** Begins with the folder of the installed version. */
const pathWithNode = async (version: string): Promise<string> => {
  const prefix = join(folder, `node-${version}`)
  mkdirSync(prefix)
  writeFileSync(join(prefix, 'package.json'), '{ "private": true }')
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts=false', `node@${version}`], {
    cwd: prefix,
  })
  // This project's own Node is in node_modules.
  const otherFolders = process.env.PATH!.split(delimiter).filter((part) => !part.includes('node_modules'))
  return [join(prefix, 'node_modules', '.bin'), ...otherFolders].join(delimiter)
}

/** As soon as the service is ready or has ended, and at the latest after 30 s. */
const runStart = async (PATH: string): Promise<{ child: ChildProcess; out: string }> => {
  const env = { ...process.env, PATH, PORT: '0', npm_config_loglevel: 'error' }
  const child = spawn('npm', ['start', '--silent', '--', '--memory'], { cwd: project, env, detached: true })
  let out = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      out += chunk
    })
  const deadline = performance.now() + 30_000
  while (!out.includes('Ctrl-C') && child.exitCode === null && performance.now() < deadline) await pause(20)
  return { child, out }
}

/** Sends the request that the service prints. */
const checkStart = async (version: string): Promise<void> => {
  const { child, out } = await runStart(await pathWithNode(version))
  try {
    const command = /^curl .*$/m.exec(out)?.[0]
    if (!command) throw new Error(`npm start on Node ${version} printed: ${out}`)
    const { stdout } = await run('sh', ['-c', `${command} -s`])
    expectEqual(`a request on Node ${version}`, JSON.parse(stdout).data?.product?.name, 'Gift card')
  } finally {
    process.kill(-child.pid!, 'SIGTERM')
  }
}

/** Without install scripts, as in many companies, and on each version of Node. */
const checkStarts = async (): Promise<void> => {
  await run('git', ['clone', '--quiet', resolve('.'), project])
  await npm(npmVersions[0]!, project, 'ci', '--ignore-scripts')
  for (const version of newNodes) await checkStart(version)
  const { out } = await runStart(await pathWithNode(oldNode))
  const suggestedCommand = / Run: (npm rebuild node --ignore-scripts=false)\n$/.exec(out)?.[1]
  expectEqual(
    `the suggestion on Node ${oldNode}`,
    suggestedCommand,
    'npm rebuild node --ignore-scripts=false',
  )
  await run('sh', ['-c', suggestedCommand!], { cwd: project })
  rmSync(join(folder, `node-${oldNode}`), { recursive: true })
  await checkStart(oldNode)
}

try {
  await checkEngines()
  await checkStarts()
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
}
