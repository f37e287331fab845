import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Format } from 'esbuild'
import { bundleOptions } from '../../lib/bundle/bundle.ts'
import { generatedValidators } from '../../lib/bundle/validators.ts'
import { catalogue } from '../../shared/catalogue.ts'
import { writeDeclarations } from './declaration-files.ts'
import { launcher } from './launcher.ts'
import { OLDEST_NODE, packageManifest } from './manifest.ts'
import { moduleNames, sourceFolders } from './modules.ts'
import { licenceNotices } from './notices.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const PROGRAM = 'billing-data-api'

/** Replaces `import.meta.url`, which CommonJS does not have. */
const moduleUrlForCommonJs = {
  define: { 'import.meta.url': 'moduleUrl' },
  banner: { js: "const moduleUrl = require('node:url').pathToFileURL(__filename).href;" },
}

/** It starts the program. */
const testingOptions = (format: Format): BuildOptions => {
  const { define = {}, ...options } = format === 'cjs' ? moduleUrlForCommonJs : {}
  const TEST_SERVICE_PROGRAM = JSON.stringify(`../../bin/${PROGRAM}.cjs`)
  return { ...options, platform: 'node', define: { ...define, TEST_SERVICE_PROGRAM } }
}

const bundleModules = (format: Format, folder: string) =>
  Promise.all(
    moduleNames.map((module) =>
      build({
        bundle: true,
        absWorkingDir: root,
        entryPoints: [`${sourceFolders[module]}/index.ts`],
        outfile: join(folder, module, 'index.js'),
        format,
        target: 'es2022',
        // Client and analytics run on every platform.
        ...(module === 'testing' ? testingOptions(format) : { platform: 'neutral' }),
      }),
    ),
  )

const validators = generatedValidators(...catalogue)

const bundleProgram = (outDir: string) =>
  build({
    ...bundleOptions,
    target: `node${OLDEST_NODE}`,
    entryPoints: [`bin/${PROGRAM}.ts`],
    outfile: join(outDir, 'bin', 'program.cjs'),
    // The program contains the whole SDK, because the operator's commands read credentials from any source.
    plugins: [validators],
    metafile: true,
    ...moduleUrlForCommonJs,
  })

const writeJson = (file: string, value: unknown): void =>
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)

/** With client, analytics and test double. Empties `outDir` first. */
export const buildPackage = async (outDir: string): Promise<void> => {
  rmSync(outDir, { recursive: true, force: true })
  const esm = join(outDir, 'esm')
  const cjs = join(outDir, 'cjs')
  const [{ metafile }] = await Promise.all([
    bundleProgram(outDir),
    bundleModules('esm', esm),
    bundleModules('cjs', cjs),
  ])
  writeFileSync(join(outDir, 'bin', `${PROGRAM}.cjs`), launcher(PROGRAM, './program.cjs'))
  writeFileSync(join(outDir, 'THIRD-PARTY-NOTICES.txt'), licenceNotices(root, metafile))
  await writeDeclarations(root, [esm, cjs])
  // The nearest package.json decides the module system of a module and its types.
  writeJson(join(esm, 'package.json'), { type: 'module' })
  writeJson(join(cjs, 'package.json'), { type: 'commonjs' })
  writeJson(join(outDir, 'package.json'), packageManifest())
  cpSync(join(root, 'docs', 'client.md'), join(outDir, 'README.md'))
}
