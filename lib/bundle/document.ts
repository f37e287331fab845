import type { Plugin } from 'esbuild'
import { openApiDocument } from '../../shared/openapi/document.ts'

/** The source of the module that replaces `#openapi` in a bundle. It contains the finished document as data. */
const finished = (): string => `const document = ${JSON.stringify(openApiDocument(''))}
export const openApiDocument = (url) => ({ ...document, servers: [{ url }] })`

/** The esbuild plugin that replaces `#openapi` with the finished document. */
export const finishedDocument: Plugin = {
  name: 'finished-document',
  setup(build) {
    build.onResolve({ filter: /^#openapi$/ }, () => ({ path: 'document', namespace: 'openapi' }))
    build.onLoad({ filter: /.*/, namespace: 'openapi' }, () => ({
      contents: finished(),
      loader: 'js',
    }))
  },
}
