import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { freePort, isListening } from '../../tools/local/engine.ts'
import { missingTool } from '../support/missing-tool.ts'

/** Runs the tests, or those named on the command line, on Amazon's DynamoDB Local instead of the embedded engine. */

const pom = fileURLToPath(new URL('pom.xml', import.meta.url))
const jars = fileURLToPath(new URL('../../dist/dynamodb-local', import.meta.url))
const START_MILLIS = 60_000

const works = (command: string): boolean => spawnSync(command, ['-version'], { stdio: 'ignore' }).status === 0

const fetchJars = (): void => {
  if (existsSync(jars)) return
  const part = `${jars}.part`
  rmSync(part, { recursive: true, force: true })
  const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${part}`]
  const { status } = spawnSync('mvn', ['-q', '-B', '-f', pom, ...goal], { stdio: 'inherit' })
  if (status !== 0) throw new Error('Maven could not fetch DynamoDB Local')
  renameSync(part, jars)
}

const startEngine = async (port: number): Promise<ChildProcess> => {
  const main = 'software.amazon.dynamodb.services.local.main.ServerRunner'
  const options = ['-inMemory', '-sharedDb', '-disableTelemetry', '-port', String(port)]
  const engine = spawn('java', [`-Djava.library.path=${jars}`, '-cp', `${jars}/*`, main, ...options], {
    stdio: 'ignore',
  })
  const deadline = performance.now() + START_MILLIS
  while (!(await isListening(port))) {
    if (engine.exitCode !== null || performance.now() > deadline)
      throw new Error('DynamoDB Local did not start')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return engine
}

const runTests = (endpoint: string): Promise<number> =>
  new Promise((resolve) => {
    // One file at a time: the engine is slower than ours, and two files at once would make it miss time-outs.
    const jest = ['node_modules/jest/bin/jest.js', '--maxWorkers=1', ...process.argv.slice(2)]
    const env = { ...process.env, TEST_ENGINE: endpoint }
    spawn(process.execPath, jest, { stdio: 'inherit', env }).once('close', (code) => resolve(code ?? 1))
  })

if (works('java') && works('mvn')) {
  fetchJars()
  const port = await freePort()
  const engine = await startEngine(port)
  process.exitCode = await runTests(`http://127.0.0.1:${port}`).finally(() => engine.kill())
} else missingTool('DynamoDB Local needs Java 17 and Maven.')
