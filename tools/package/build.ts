import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type BuildOptions, build, type Format, type Metafile } from 'esbuild'
import { bundleOptions } from '../../lib/bundle/bundle.ts'
import { generatedValidators } from '../../lib/bundle/validators.ts'
import { catalogue } from '../../shared/catalogue.ts'
import { controlBodies } from '../testing/control-bodies.ts'
import { launcher } from './launcher.ts'
import { entries, manifest, OLDEST_NODE } from './manifest.ts'
import { notices } from './notices.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
type Entry = (typeof entries)[number]
const sources: Readonly<Record<Entry, string>> = {
  client: 'client',
  testing: 'tools/testing',
}
const program = 'billing-data-api'

// CommonJS has no import.meta, but __filename.
const url = {
  define: { 'import.meta.url': 'moduleUrl' },
  banner: { js: "const moduleUrl = require('node:url').pathToFileURL(__filename).href;" },
}

const validators = generatedValidators(...catalogue, ...Object.values(controlBodies))

/** The options for the bundle of a module, besides those for all. */
const optionsOf = (entry: Entry, format: Format): BuildOptions => {
  const isCommonJs = format === 'cjs'
  const serviceProgram = { TEST_SERVICE_PROGRAM: JSON.stringify(`../../bin/${program}.cjs`) }
  const options: Readonly<Record<Entry, BuildOptions>> = {
    client: { platform: 'neutral' },
    testing: {
      platform: 'node',
      ...(isCommonJs ? url : {}),
      define: { ...serviceProgram, ...(isCommonJs ? url.define : {}) },
    },
  }
  return options[entry]
}

const bundleEntries = (format: Format, folder: string) =>
  Promise.all(
    entries.map((entry) =>
      build({
        bundle: true,
        absWorkingDir: root,
        entryPoints: [`${sources[entry]}/index.ts`],
        outfile: join(folder, entry, 'index.js'),
        format,
        target: 'es2022',
        ...optionsOf(entry, format),
      }),
    ),
  )

const bundleProgram = (outDir: string) =>
  build({
    ...bundleOptions,
    target: `node${OLDEST_NODE}`,
    entryPoints: [`bin/${program}.ts`],
    outfile: join(outDir, 'bin', 'program.cjs'),
    // With the whole SDK: the operator's commands read credentials from any source.
    plugins: [validators],
    ...url,
  })

/** The modules with the types of the entries. */
const stage = (folder: string): void => {
  const modules = {
    client: readdirSync(join(root, 'client')),
    testing: ['index.ts', 'service.ts', 'options.ts'],
  }
  for (const entry of entries) {
    mkdirSync(join(folder, entry), { recursive: true })
    for (const file of modules[entry]) {
      const text = readFileSync(join(root, sources[entry], file), 'utf8')
      writeFileSync(join(folder, entry, file), text.replaceAll("'../../client/", "'../client/"))
    }
  }
  const options = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    outDir: 'types',
    rootDir: '.',
    // Modules that only the implementation imports are not staged.
    noCheck: true,
    types: ['node'],
  }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: '../../tsconfig.json', compilerOptions: options, include: entries }),
  )
}

const declare = async (staging: string, folders: readonly string[]): Promise<void> => {
  stage(staging)
  await promisify(execFile)(join(root, 'node_modules/.bin/tsc'), ['-p', staging])
  for (const file of readdirSync(join(staging, 'types'), { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.d.ts')) continue
    const text = readFileSync(join(staging, 'types', file), 'utf8').replace(/(from '\.[^']*)\.ts'/g, "$1.js'")
    for (const folder of folders) writeFileSync(join(folder, file), text)
  }
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** Builds the package that is published, with client and test double, into `outDir`, which is emptied before. */
export const buildPackage = async (outDir: string): Promise<void> => {
  const staging = join(root, 'dist', 'declarations')
  for (const folder of [outDir, staging]) rmSync(folder, { recursive: true, force: true })
  const [esm, cjs] = [join(outDir, 'esm'), join(outDir, 'cjs')]
  const [{ metafile }] = await Promise.all([
    bundleProgram(outDir),
    bundleEntries('esm', esm),
    bundleEntries('cjs', cjs),
  ])
  writeFileSync(join(outDir, 'bin', `${program}.cjs`), launcher(program, './program.cjs'))
  writeFileSync(join(outDir, 'THIRD-PARTY-NOTICES.txt'), notices(root, metafile as Metafile))
  await declare(staging, [esm, cjs])
  // The nearest package.json decides the module system of a module and its types.
  writeFileSync(join(esm, 'package.json'), json({ type: 'module' }))
  writeFileSync(join(cjs, 'package.json'), json({ type: 'commonjs' }))
  writeFileSync(join(outDir, 'package.json'), json(manifest(root)))
  const readme = readFileSync(join(root, 'docs', 'client.md'), 'utf8').replaceAll(
    '](testing.md)',
    '](docs/testing.md)',
  )
  writeFileSync(join(outDir, 'README.md'), readme)
  cpSync(join(root, 'docs', 'testing.md'), join(outDir, 'docs', 'testing.md'))
}
