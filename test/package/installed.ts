import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { buildPackage } from '../../tools/package/build.ts'

/** The package as a stranger gets it: packed, installed into an empty project, and used as its documents say. */

const run = promisify(execFile)
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'consumer-')))
const project = join(folder, 'project')
const tool = (name: string): string => resolve('node_modules/.bin', name)
const npm = (...args: string[]) =>
  run('npm', [...args, '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: project })
const put = (file: string, text: string): void => writeFileSync(join(project, file), text)
const blocks = (file: string, language: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'g'))].map(
    ([, code]) => code as string,
  )

beforeAll(async () => {
  await buildPackage(resolve('dist/package'))
  mkdirSync(project)
  put('package.json', '{ "private": true, "type": "module" }\n')
  await npm('pack', resolve('dist/package'))
  const [tarball] = readdirSync(project).filter((name) => name.endsWith('.tgz'))
  await npm('install', `./${tarball}`)
})

afterAll(() => rmSync(folder, { recursive: true }))

describe('the package', () => {
  it('brings nothing along but the engine', () => {
    const installed = readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))
    expect(installed.filter((name) => name !== '@dynoxide')).toEqual(['billing-data-api'])
  })

  it('passes on the licences of what is bundled', () => {
    const text = readFileSync(join(project, 'node_modules/billing-data-api/THIRD-PARTY-NOTICES.txt'), 'utf8')
    for (const part of ['@aws-sdk/client-dynamodb 3', '@middy/core 7', 'Apache License', 'MIT License'])
      expect(text).toContain(part)
    expect(text).not.toContain('License: none stated')
  })

  it('has a client that runs in browsers, of less than 5 kB', async () => {
    const { outputFiles } = await build({
      stdin: { contents: "export { createClient } from 'billing-data-api/client'", resolveDir: project },
      bundle: true,
      minify: true,
      platform: 'browser',
      format: 'esm',
      write: false,
    })
    const code = outputFiles[0]!.contents
    expect(code.length).toBeLessThan(5_000)
    expect(gzipSync(code).length).toBeLessThan(2_500)
  })

  it.each(['client', 'testing'])('can be required and imported: %s', async (entry) => {
    const name = `billing-data-api/${entry}`
    const required = await run(process.execPath, ['-p', `Object.keys(require('${name}')).sort().join()`], {
      cwd: project,
    })
    const script = `console.log(Object.keys(await import('${name}')).sort().join())`
    const imported = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: project })
    expect(required.stdout.trim()).toBe(
      entry === 'client' ? 'BillingApiError,createClient' : 'createTestService',
    )
    expect(imported.stdout).toBe(required.stdout)
  })
})

describe('the documents', () => {
  it("have a client example that prints what they say, with the package's program", async () => {
    // From elsewhere, as npx runs it.
    const program = spawn(join(project, 'node_modules/.bin/billing-data-api'), {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    try {
      const [line] = (await once(createInterface(program.stdout), 'line')) as [string]
      const { base_url, app_id, api_key } = JSON.parse(line) as Record<string, string>
      put('example.ts', blocks('docs/client.md', 'ts').join(''))
      const env = { ...process.env, BILLING_URL: base_url, BILLING_APP_ID: app_id, BILLING_API_KEY: api_key }
      const { stdout } = await run(process.execPath, ['example.ts'], { cwd: project, env })
      expect(stdout).toBe(blocks('docs/client.md', 'text').join(''))
    } finally {
      program.kill()
    }
  })

  it('have a jest example that passes', async () => {
    put('example.test.ts', blocks('docs/testing.md', 'ts').join(''))
    const transform = {
      '\\.ts$': [resolve('node_modules/@swc/jest'), { jsc: { parser: { syntax: 'typescript' } } }],
    }
    put('jest.config.json', JSON.stringify({ rootDir: project, transform }))
    const { stdout } = await run(
      process.execPath,
      [resolve('node_modules/jest/bin/jest.js'), '--config', 'jest.config.json', '--json'],
      { cwd: project },
    )
    expect(JSON.parse(stdout)).toMatchObject({ numPassedTests: 3, numFailedTests: 0, numTotalTests: 3 })
  })
})

describe('the declarations', () => {
  const options = {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    target: 'ES2022',
    lib: ['ES2022', 'DOM'],
    types: [] as string[],
  }
  const compile = async (tsc: string, name: string, more: object, files: string[]): Promise<string> => {
    put(`tsconfig.${name}.json`, JSON.stringify({ compilerOptions: { ...options, ...more }, files }))
    return run(process.execPath, [tsc, '-p', `tsconfig.${name}.json`], { cwd: project }).then(
      ({ stdout }) => stdout,
      ({ stdout, stderr, message }: { stdout: string; stderr: string; message: string }) =>
        stdout || stderr || message,
    )
  }
  const old = join(folder, 'tools/node_modules/typescript/bin/tsc')
  const ways: [string, object, string[]][] = [
    [
      'bundler',
      { module: 'ESNext', moduleResolution: 'Bundler', exactOptionalPropertyTypes: true },
      ['types.mts'],
    ],
    ['nodenext', { module: 'NodeNext', moduleResolution: 'NodeNext' }, ['types.mts', 'types.cts']],
    [
      'examples',
      { module: 'NodeNext', types: ['node', 'jest'], typeRoots: [resolve('node_modules/@types')] },
      ['example.ts', 'example.test.ts'],
    ],
  ]

  beforeAll(async () => {
    const text = readFileSync('test/client/types.ts', 'utf8').replace(
      '../../client/index.ts',
      'billing-data-api/client',
    )
    for (const extension of ['ts', 'mts', 'cts']) put(`types.${extension}`, text)
    await npm('install', '--prefix', join(folder, 'tools'), 'typescript@5.9.3')
  })

  it('do not hold for what is wrong', async () => {
    put(
      'wrong.mts',
      "import type { Product } from 'billing-data-api/client'\nexport const product: Product = { id: 1 }\n",
    )
    const [, more] = ways[1]!
    expect(await compile(tool('tsc'), 'wrong', more, ['wrong.mts'])).toMatch(
      /^wrong\.mts\(2,\d+\): error TS2322/,
    )
    expect(await compile(old, 'wrong', more, ['wrong.mts'])).toMatch(/^wrong\.mts\(2,\d+\): error TS2322/)
  })

  it.each(ways)('hold for the current compiler: %s', async (name, more, files) => {
    expect(await compile(tool('tsc'), name, more, files)).toBe('')
  })

  it.each([
    ...ways.slice(0, 2),
    ['node10', { module: 'CommonJS', moduleResolution: 'node10' }, ['types.ts']] as (typeof ways)[number],
  ])('hold for the compiler before: %s', async (name, more, files) => {
    expect(await compile(old, name, more, files)).toBe('')
  })
})
