import { fileURLToPath } from 'node:url'
import type { Plugin } from 'esbuild'
import { openApiDocument } from '../../shared/openapi/document.ts'

const serversFile = fileURLToPath(new URL('../../shared/openapi/servers.ts', import.meta.url))

/** A module that stands in for `#openapi` in the bundle: the finished document, without the API that it is made from. */
const finished = (): string => `import { serversAt } from ${JSON.stringify(serversFile)}
const document = ${JSON.stringify(openApiDocument(''))}
export const openApiDocument = (baseUrl) => ({ ...document, servers: serversAt(baseUrl) })`

/** The esbuild plugin that resolves `#openapi` to the document as data. */
export const finishedDocument: Plugin = {
  name: 'finished-document',
  setup(build) {
    build.onResolve({ filter: /^#openapi$/ }, () => ({ path: 'document', namespace: 'openapi' }))
    build.onLoad({ filter: /.*/, namespace: 'openapi' }, () => ({
      contents: finished(),
      loader: 'js',
      resolveDir: fileURLToPath(new URL('../..', import.meta.url)),
    }))
  },
}
