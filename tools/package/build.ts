import { execFile } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type BuildOptions, build, type Format, type Metafile } from 'esbuild'
import { bundleOptions } from '../../lib/bundle/bundle.ts'
import { generatedValidators } from '../../lib/bundle/validators.ts'
import { catalogue } from '../../shared/catalogue.ts'
import { entries, launcher, manifest, OLDEST_NODE } from './manifest.ts'
import { notices } from './notices.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** The folder of each module's source. */
const sources: Readonly<Record<(typeof entries)[number], string>> = {
  client: 'client',
  analytics: 'client/analytics',
  testing: 'tools/testing',
}
const program = 'billing-data-api'

// CommonJS has no import.meta, but __filename.
const url = {
  define: { 'import.meta.url': 'moduleUrl' },
  banner: { js: "const moduleUrl = require('node:url').pathToFileURL(__filename).href;" },
}

const startingProgram = (format: Format): BuildOptions => {
  const base = format === 'cjs' ? url : { define: {} }
  const TEST_SERVICE_PROGRAM = JSON.stringify(`../../bin/${program}.cjs`)
  return { ...base, platform: 'node', define: { ...base.define, TEST_SERVICE_PROGRAM } }
}

const validators = generatedValidators(...catalogue)

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
        // Client and analytics run anywhere; the test double starts the program.
        ...(entry === 'testing' ? startingProgram(format) : { platform: 'neutral' }),
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

const declarationsIn = (folder: string): string[] =>
  readdirSync(folder).filter((file) => file.endsWith('.d.ts'))

/** Writes the declarations of the modules into the folders of their bundles. */
const declare = async (folders: readonly string[]): Promise<void> => {
  const declarations = join(root, 'dist', 'declarations')
  rmSync(declarations, { recursive: true, force: true })
  const project = join(root, 'tools/package/declarations.json')
  await promisify(execFile)(join(root, 'node_modules/.bin/tsc'), ['-p', project])
  for (const entry of entries)
    for (const file of declarationsIn(join(declarations, sources[entry]))) {
      const text = readFileSync(join(declarations, sources[entry], file), 'utf8')
        // Modules are below the client or beside it in the sources, and beside it in the package.
        .replaceAll(/'\.\.\/(?:\.\.\/client\/)?/g, "'../client/")
        .replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'")
      for (const folder of folders) writeFileSync(join(folder, entry, file), text)
    }
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** Builds the package that is published, with client, analytics and test double, into `outDir`, which it empties first. */
export const buildPackage = async (outDir: string): Promise<void> => {
  rmSync(outDir, { recursive: true, force: true })
  const esm = join(outDir, 'esm')
  const cjs = join(outDir, 'cjs')
  const [{ metafile }] = await Promise.all([
    bundleProgram(outDir),
    bundleEntries('esm', esm),
    bundleEntries('cjs', cjs),
  ])
  writeFileSync(join(outDir, 'bin', `${program}.cjs`), launcher(program, './program.cjs'))
  writeFileSync(join(outDir, 'THIRD-PARTY-NOTICES.txt'), notices(root, metafile as Metafile))
  await declare([esm, cjs])
  // The nearest package.json decides the module system of a module and its types.
  writeFileSync(join(esm, 'package.json'), json({ type: 'module' }))
  writeFileSync(join(cjs, 'package.json'), json({ type: 'commonjs' }))
  writeFileSync(join(outDir, 'package.json'), json(manifest()))
  cpSync(join(root, 'docs', 'client.md'), join(outDir, 'README.md'))
}
