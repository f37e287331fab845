import { readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Plugin } from 'esbuild'
import { classLeftOut, leftOut, manifestLeftOut } from '../../shared/store/aws/left-out.ts'

const NAMESPACE = 'left-out'
const filter = new RegExp(`^(?:${Object.keys(leftOut).join('|')})$`)

/** The esbuild plugin that replaces the parts of the SDK that functions do not need. */
export const leaveOut: Plugin = {
  name: NAMESPACE,
  setup(build) {
    build.onResolve({ filter }, async ({ path, pluginData, ...at }) => {
      if (pluginData === NAMESPACE) return undefined
      // The imports of a replacement are resolved from the folder of the original.
      const original = await build.resolve(path, { ...at, pluginData: NAMESPACE })
      return {
        path,
        errors: original.errors,
        namespace: NAMESPACE,
        pluginData: dirname(original.path),
        sideEffects: false,
      }
    })
    build.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path, pluginData: resolveDir }) => ({
      contents: leftOut[path] as string,
      resolveDir: resolveDir as string,
    }))
    build.onLoad({ filter: classLeftOut }, ({ path }) => {
      const name = basename(path, '.js')
      return {
        contents: `export class ${name} { constructor() { throw new Error('${name} is left out') } }`,
      }
    })
    build.onLoad({ filter: manifestLeftOut }, ({ path }) => {
      const { version } = JSON.parse(readFileSync(path, 'utf8'))
      return { contents: JSON.stringify({ version }), loader: 'json' }
    })
  },
}
