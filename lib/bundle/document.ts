import { fileURLToPath } from 'node:url'
import type { Plugin } from 'esbuild'
import { pagePaths } from '../../shared/contract/deployable.ts'
import { documentFunction } from '../../shared/contract/document-function.ts'
import { openApiDocument } from '../../shared/openapi/document.ts'
import { pageAt, scalarFile } from '../../shared/site/pages.ts'

/** Replaces `#openapi` with the finished document as data. */
const documentSource = (): string => `const document = ${JSON.stringify(openApiDocument(''))}
export const openApiDocument = (url) => ({ ...document, servers: [{ url }] })`

const paths = pagePaths(documentFunction)

/** Replaces `#pages`. It reads the files of the pages, which are beside the bundle. */
const pagesSource = `import { readFileSync } from 'node:fs'
import { join } from 'node:path'
${paths.map((path, index) => `import file${index} from '#pages${path}'`).join('\n')}
const files = { ${paths.map((path, index) => `'${path}': file${index}`).join(', ')} }
export const pageAt = (path) =>
  Object.hasOwn(files, path) ? readFileSync(join(__dirname, files[path])) : undefined`

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Code that makes the document and compresses the pages would slow down every start. */
export const finishedDocument: Plugin = {
  name: 'finished-document',
  setup(build) {
    // Loaded from its own file, so that esbuild lists its package among the inputs.
    build.onResolve({ filter: /^#pages\/docs\/scalar\.js$/ }, ({ path }) => ({
      path: fileURLToPath(scalarFile),
      pluginData: path.slice('#pages'.length),
    }))
    build.onResolve({ filter: /^#(pages|openapi)/ }, ({ path }) => ({ path, namespace: 'finished' }))
    build.onLoad({ filter: /[\\/]@scalar[\\/]/ }, ({ pluginData }) => ({
      contents: pageAt(pluginData) as Buffer,
      loader: 'file',
    }))
    build.onLoad({ filter: /.*/, namespace: 'finished' }, ({ path }) => {
      if (path === '#openapi') return { contents: documentSource(), loader: 'js' }
      if (path === '#pages') return { contents: pagesSource, loader: 'js', resolveDir: root }
      return { contents: pageAt(path.slice('#pages'.length)) as Buffer, loader: 'file' }
    })
  },
}
