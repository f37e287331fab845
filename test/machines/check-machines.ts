import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { enginePlatforms } from '../../tools/local/engine.ts'
import { startEngineRegistry } from './engine-registry.ts'

/**
 * Installs and starts the project as on other machines: with npm 10 and 11, with install scripts disabled, with other versions
 * of Node, in a path with a space. Also installs the engine of each platform from the lock file.
 */

const run = promisify(execFile)
const npmVersions = ['10.9.4', '11.6.2']
const oldNode = '20.20.2'
const newNodes = ['22.18.0', '24.21.0', '26.10.0']

const folder = mkdtempSync(join(tmpdir(), 'billing-machines-'))
const project = join(folder, 'My Projects', 'api')

/** Throws Error unless a value is the expected one. */
const expectEqual = (what: string, value: unknown, expected: unknown): void => {
  const [got, wanted] = [JSON.stringify(value), JSON.stringify(expected)]
  if (got !== wanted) throw new Error(`${what}: expected ${wanted}, got ${got}`)
  console.log(`${what}: ok`)
}

/** Runs npm of a version in a folder. */
const npm = (version: string, cwd: string, ...args: string[]) =>
  run('npx', ['--yes', `npm@${version}`, ...args], { cwd })

/** Installs the engines that the lock file has, and nothing else, as on each platform. */
const checkEngines = async (): Promise<void> => {
  const registry = await startEngineRegistry(folder)
  const small = join(folder, 'engines')
  mkdirSync(small)
  const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  const { packages, ...lock } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const entries: Record<string, object> = { '': { name: lock.name, optionalDependencies } }
  for (const name of Object.keys(optionalDependencies)) {
    // The engines of this registry are others.
    const { integrity, ...entry } = packages[`node_modules/${name}`]
    entries[`node_modules/${name}`] = entry
  }
  writeFileSync(join(small, 'package.json'), JSON.stringify({ name: lock.name, optionalDependencies }))
  writeFileSync(join(small, 'package-lock.json'), JSON.stringify({ ...lock, packages: entries }))
  for (const version of npmVersions)
    for (const platform of enginePlatforms) {
      const [os, cpu] = platform.split('-')
      const options = [`--os=${os}`, `--cpu=${cpu}`, `--cache=${join(folder, 'cache', version, platform)}`]
      registry.forget()
      await npm(version, small, 'ci', registry.option, ...options)
      expectEqual(`npm ${version} on ${platform} downloads its engine alone`, registry.downloaded(), [
        platform,
      ])
    }
  registry.close()
}

/** Installs a version of Node. Returns the path of commands that finds it first. */
const pathWithNode = async (version: string): Promise<string> => {
  const prefix = join(folder, `node-${version}`)
  mkdirSync(prefix)
  writeFileSync(join(prefix, 'package.json'), '{ "private": true }')
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts=false', `node@${version}`], {
    cwd: prefix,
  })
  // Without the folders of this project's own Node.
  const others = process.env.PATH!.split(delimiter).filter((part) => !part.includes('node_modules'))
  return [join(prefix, 'node_modules', '.bin'), ...others].join(delimiter)
}

/** Runs `npm start` and returns its process and output, as soon as it has printed a line that matches, or has ended. */
const start = async (PATH: string): Promise<{ child: ChildProcess; out: string }> => {
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

/** Starts the service on a version of Node and sends the request that it prints. */
const checkStart = async (version: string): Promise<void> => {
  const { child, out } = await start(await pathWithNode(version))
  try {
    const command = /^curl .*$/m.exec(out)?.[0]
    if (!command) throw new Error(`npm start on Node ${version} printed: ${out}`)
    const { stdout } = await run('sh', ['-c', `${command} -s`])
    expectEqual(`a request on Node ${version}`, JSON.parse(stdout).data?.product?.name, 'Gift card')
  } finally {
    process.kill(-child.pid!, 'SIGTERM')
  }
}

/** Installs the project without install scripts, as many companies do, and starts it on each version of Node. */
const checkStarts = async (): Promise<void> => {
  await run('git', ['clone', '--quiet', resolve('.'), project])
  await npm(npmVersions[0]!, project, 'ci', '--ignore-scripts')
  for (const version of newNodes) await checkStart(version)
  const { out } = await start(await pathWithNode(oldNode))
  const advice = / Run: (npm rebuild node --ignore-scripts=false)\n$/.exec(out)?.[1]
  expectEqual(`Node ${oldNode} alone is told what to run`, Boolean(advice), true)
  await run('sh', ['-c', advice!], { cwd: project })
  rmSync(join(folder, `node-${oldNode}`), { recursive: true })
  await checkStart(oldNode)
}

try {
  await checkEngines()
  await checkStarts()
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
}
