import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ADDRESS, codeSamples } from '../../shared/openapi/samples.ts'
import type { Generator } from './generators.ts'

type Files = Readonly<Record<string, string>>

/** The folder of the client that the samples of a language use; those in TypeScript use the typed client. */
export const sampleFolders: Readonly<Record<Generator['language'], string>> = {
  typescript: 'typed-client',
  python: 'openapi-python-client',
  go: 'oapi-codegen',
}

/** The samples as files, and one that runs them in their order. */
const files: Readonly<
  Record<Generator['language'], (samples: readonly (readonly [string, string])[]) => Files>
> = {
  typescript: (samples) => ({
    ...Object.fromEntries(samples.map(([id, source]) => [`samples/${id}.ts`, source])),
    'samples.ts': `${samples.map(([id]) => `await import('./samples/${id}.ts')\n`).join('')}export {}\n`,
  }),
  python: (samples) => ({
    ...Object.fromEntries(samples.map(([id, source]) => [`samples/${id}.py`, source])),
    'samples.py': `import runpy\n${samples.map(([id]) => `runpy.run_path("samples/${id}.py")\n`).join('')}`,
  }),
  go: (samples) => ({
    ...Object.fromEntries(
      samples.map(([id, source]) => [
        `samples/${id}.go`,
        source
          .replace('func main()', `func ${id}()`)
          .replace('example.com/billing/client', `example.com/billing/${sampleFolders.go}/client`),
      ]),
    ),
    'samples/main.go': `package main\n\nfunc main() {\n${samples.map(([id]) => `\t${id}()\n`).join('')}}\n`,
  }),
}

/** Writes the code samples of a language into a folder, for the API at `baseUrl`. */
export const writeSamples = (language: Generator['language'], folder: string, baseUrl: string): void => {
  const samples = Object.entries(codeSamples()).map(([id, all]) => {
    const { source = '' } = all.find(({ lang }) => lang === language) ?? {}
    return [id, source.replaceAll(ADDRESS, baseUrl)] as const
  })
  mkdirSync(join(folder, 'samples'), { recursive: true })
  for (const [file, text] of Object.entries(files[language](samples))) writeFileSync(join(folder, file), text)
}
