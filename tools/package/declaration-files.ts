import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { promisify } from 'node:util'
import { moduleNames, sourceFolders } from './modules.ts'

/** With all that they import. The returned folder has the project's structure. */
const compileDeclarations = async (root: string): Promise<string> => {
  // tsconfig.declarations.json has the same folder.
  const outDir = join(root, 'dist', 'declarations')
  rmSync(outDir, { recursive: true, force: true })
  const project = join(root, 'tools/package/tsconfig.declarations.json')
  await promisify(execFile)(join(root, 'node_modules/.bin/tsc'), ['-p', project])
  return outDir
}

/** The modules, nested folders before the folders around them. */
const innermostFirst = moduleNames.toSorted(
  (first, second) => sourceFolders[second].length - sourceFolders[first].length,
)

/** Throws Error for a source that the package does not contain. */
const pathInPackage = (source: string): string => {
  const module = innermostFirst.find((name) => source.startsWith(`${sourceFolders[name]}/`))
  if (module === undefined)
    throw new Error(`a declaration of the package needs "${source}", which is not in it`)
  return join(module, source.slice(sourceFolders[module].length + 1))
}

/** A relative import in a declaration: `from './types.ts'` or `import("./types.ts")`. */
const RELATIVE_IMPORT = /(\bfrom |\bimport\()(['"])(\.[^'"]*)\.ts\2/g

/** `folders` get a folder for each module. Throws Error for an imported file that is not in the package. */
export const writeDeclarations = async (root: string, folders: readonly string[]): Promise<void> => {
  const compiled = await compileDeclarations(root)
  // The sources without their extension. The imports of each source are added while the set is iterated.
  const sources = new Set(moduleNames.map((name) => `${sourceFolders[name]}/index`))
  for (const source of sources) {
    const target = pathInPackage(source)
    const text = readFileSync(join(compiled, `${source}.d.ts`), 'utf8').replaceAll(
      RELATIVE_IMPORT,
      (_, before: string, quote: string, specifier: string) => {
        const imported = posix.join(dirname(source), specifier)
        sources.add(imported)
        const path = posix.relative(dirname(target), pathInPackage(imported))
        return `${before}${quote}${path.startsWith('.') ? path : `./${path}`}.js${quote}`
      },
    )
    for (const folder of folders) {
      const file = join(folder, `${target}.d.ts`)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    }
  }
}
