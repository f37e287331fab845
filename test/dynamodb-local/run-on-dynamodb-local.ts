import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import getPort from 'get-port'
import { isListening } from '../../tools/local/loopback.ts'
import { reportMissingTool } from '../support/packages/missing-tool.ts'

/**
 * Runs tests on Amazon's DynamoDB Local: the tests named on the command line, by default those that depend on
 * the database.
 */

const pom = 'test/dynamodb-local/pom.xml'
const jars = resolve('dist/dynamodb-local')

/** They depend on the rules of the table, its calls or its stream. The other tests, as those of refused requests, only use the API. */
const tests = [
  'api/(?!credentials|errors|fields|mistakes|reading-bodies|routes)',
  'applications',
  'faults/(?!every-operation)',
  'operator/(apps|erasures|remove|rights)',
  'stack/templates',
  'store',
]

const isInstalled = (command: string): boolean =>
  spawnSync(command, ['-version'], { stdio: 'ignore' }).status === 0

/** Fetches the jars of DynamoDB Local with Maven, unless those of the same pom.xml are there. */
const fetchJars = (): void => {
  const source = join(jars, 'pom.xml')
  if (existsSync(source) && readFileSync(source, 'utf8') === readFileSync(pom, 'utf8')) return
  // Jars that were fetched only in part are not mistaken for all.
  const incomplete = `${jars}.part`
  rmSync(incomplete, { recursive: true, force: true })
  const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${incomplete}`]
  const { status } = spawnSync('mvn', ['-q', '-B', '-f', pom, ...goal], { stdio: 'inherit' })
  if (status !== 0) throw new Error('Maven could not fetch DynamoDB Local')
  copyFileSync(pom, join(incomplete, 'pom.xml'))
  rmSync(jars, { recursive: true, force: true })
  renameSync(incomplete, jars)
}

/** Throws Error if the engine ends before it listens, or after a minute. */
const startEngine = async (port: number): Promise<ChildProcess> => {
  const main = 'software.amazon.dynamodb.services.local.main.ServerRunner'
  const options = ['-inMemory', '-sharedDb', '-disableTelemetry', '-port', String(port)]
  const engine = spawn('java', [`-Djava.library.path=${jars}`, '-cp', `${jars}/*`, main, ...options], {
    stdio: 'ignore',
  })
  const deadline = performance.now() + 60_000
  while (!(await isListening(port))) {
    if (engine.exitCode !== null || performance.now() > deadline)
      throw new Error('DynamoDB Local did not start')
    await pause(100)
  }
  return engine
}

const runTests = (endpoint: string): Promise<number> =>
  new Promise((resolve) => {
    const named = process.argv.slice(2)
    const chosen = named.length > 0 ? named : tests.map((test) => `/test/${test}`)
    // One file at a time: DynamoDB Local is slower than our engine and would exceed timeouts with two.
    const jest = ['node_modules/jest/bin/jest.js', '--maxWorkers=1', ...chosen]
    const env = { ...process.env, TEST_ENGINE: endpoint, DYNAMODB_LOCAL: 'true' }
    spawn(process.execPath, jest, { stdio: 'inherit', env }).once('close', (code) => resolve(code ?? 1))
  })

if (isInstalled('java') && isInstalled('mvn')) {
  fetchJars()
  const port = await getPort()
  const engine = await startEngine(port)
  // The engine stores nothing, and a Java process that is asked to end may hang in its shutdown.
  process.exitCode = await runTests(`http://127.0.0.1:${port}`).finally(() => engine.kill('SIGKILL'))
} else reportMissingTool('DynamoDB Local needs Java 17 and Maven.')
