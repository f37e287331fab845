import { fileURLToPath } from 'node:url'
import type { Plugin } from 'esbuild'
import { document, pagePaths } from '../../shared/contract/deployable.ts'
import { pageAt } from '../../shared/site/pages.ts'
import { scalarFile } from '../../shared/site/scalar-script.ts'

const paths = pagePaths(document)

/** The source of the module that replaces `#pages` in a bundle. It reads files beside the bundle. */
const finished = `import { readFileSync } from 'node:fs'
import { join } from 'node:path'
${paths.map((path, index) => `import file${index} from '#pages${path}'`).join('\n')}
const files = { ${paths.map((path, index) => `'${path}': file${index}`).join(', ')} }
export const pageAt = (path) =>
  Object.hasOwn(files, path) ? readFileSync(join(__dirname, files[path])) : undefined`

const INDEX = 'index'

/** The esbuild plugin that replaces `#pages` with compressed files. As code, they would slow down every start. */
export const finishedPages: Plugin = {
  name: 'finished-pages',
  setup(build) {
    // From its own file, so that its package counts among those that are deployed.
    build.onResolve({ filter: /^#pages\/docs\/scalar\.js$/ }, ({ path }) => ({
      path: fileURLToPath(scalarFile),
      pluginData: path.slice('#pages'.length),
    }))
    build.onResolve({ filter: /^#pages/ }, ({ path }) => ({
      path: path.slice('#pages'.length) || INDEX,
      namespace: 'pages',
    }))
    build.onLoad({ filter: /[\\/]@scalar[\\/]/ }, ({ pluginData }) => ({
      contents: pageAt(pluginData) as Buffer,
      loader: 'file',
    }))
    build.onLoad({ filter: /.*/, namespace: 'pages' }, ({ path }) =>
      path === INDEX
        ? { contents: finished, loader: 'js', resolveDir: fileURLToPath(new URL('../..', import.meta.url)) }
        : { contents: pageAt(path) as Buffer, loader: 'file' },
    )
  },
}
