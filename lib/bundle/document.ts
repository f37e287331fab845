import { fileURLToPath } from 'node:url'
import type { Plugin } from 'esbuild'
import { openApiDocument } from '../../shared/openapi/document.ts'

const serversFile = fileURLToPath(new URL('../../shared/openapi/servers.ts', import.meta.url))

/** The source of the module that replaces `#openapi` in a bundle. It contains the finished document as data. */
const finished = (): string => `import { serversAt } from ${JSON.stringify(serversFile)}
const document = ${JSON.stringify(openApiDocument(''))}
export const openApiDocument = (baseUrl) => ({ ...document, servers: serversAt(baseUrl) })`

/** The esbuild plugin that replaces `#openapi` with the finished document. */
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
