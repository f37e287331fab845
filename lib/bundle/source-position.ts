import { SourceMap } from 'node:module'
import { build } from 'esbuild'
import type { Deployable } from '../../shared/contract/deployable.ts'
import { BUNDLE, bundleOptions, optionsOf } from './bundle.ts'

/** A deployed bundle with its source map, which is not deployed. */
export interface MappedBundle {
  readonly code: string
  /** Returns `file:line:column` in the sources for a position in the code, counted from 1 as in stack traces; undefined if there is none. */
  readonly sourceOf: (line: number, column: number) => string | undefined
}

/** Bundles a function in memory, with a source map. The same sources give the same code as the deployed bundle. */
export const mappedBundle = async (deployable: Deployable): Promise<MappedBundle> => {
  const { outputFiles = [] } = await build({
    ...bundleOptions,
    ...optionsOf(deployable),
    outfile: BUNDLE,
    write: false,
    sourcemap: 'external',
    sourceRoot: '',
  })
  const textOf = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? ''
  const map = new SourceMap(JSON.parse(textOf('.map')))
  const code = textOf(BUNDLE)
  const lines = code.split('\n')
  return {
    code,
    sourceOf: (line, column) => {
      // Beyond the end of a line, the map returns the last position it knows.
      if (column > (lines[line - 1]?.length ?? 0)) return undefined
      const entry = map.findEntry(line - 1, column - 1)
      return 'originalSource' in entry
        ? `${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
        : undefined
    },
  }
}
