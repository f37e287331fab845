import { SourceMap } from 'node:module'
import { build } from 'esbuild'
import type { Deployable } from '../../shared/contract/deployable.ts'
import { BUNDLE, bundleOptions, optionsOf } from './bundle.ts'

/** A bundle as it is deployed, and what leads from it back to the sources; the latter is never deployed. */
export interface MappedBundle {
  readonly code: string
  /** The source of a position in the code, both counted from 1 as in stacks, or undefined where there is none. */
  readonly sourceOf: (line: number, column: number) => string | undefined
}

/** Bundles a function again, in memory, with its source map: the same sources give the same code. */
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
      // Behind the end, the map would answer with the last position it knows.
      if (column > (lines[line - 1]?.length ?? 0)) return undefined
      const entry = map.findEntry(line - 1, column - 1)
      return 'originalSource' in entry
        ? `${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
        : undefined
    },
  }
}
