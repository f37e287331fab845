import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

/** The script and the styles of a page. */
export interface BrowserFiles {
  readonly script: string
  readonly styles: string
}

/** Builds the script and the styles of a page from its entry, such as `console/main.tsx`. */
export const filesForBrowser = (entry: string): BrowserFiles => {
  // Only a build and the local service have esbuild; a bundle must not contain it.
  const { buildSync } = createRequire(import.meta.url)('esbuild') as typeof import('esbuild')
  const { outputFiles } = buildSync({
    entryPoints: [entry],
    absWorkingDir: fileURLToPath(new URL('../..', import.meta.url)),
    // Only a part of the names in `outputFiles`, since nothing is written.
    outdir: 'console',
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
  })
  const textOf = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))!.text
  return { script: textOf('.js'), styles: textOf('.css') }
}
