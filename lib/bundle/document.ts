import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'esbuild'
import { openApiDocument } from '../../shared/openapi/document.ts'
import { bundleInto } from './bundle.ts'

const serversFile = fileURLToPath(new URL('../../shared/openapi/servers.ts', import.meta.url))

/** A module that stands in for `#openapi` in the bundle: the finished document, without the API that it is made from. */
const finished = (): string => `import { serversAt } from ${JSON.stringify(serversFile)}
const document = ${JSON.stringify(openApiDocument(''))}
export const openApiDocument = (baseUrl) => ({ ...document, servers: serversAt(baseUrl) })`

/** The esbuild plugin that resolves `#openapi` to the document as data. */
const finishedDocument: Plugin = {
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

/** The file of the handler that serves the document, from the project's root: beside the catalogue, not in it. */
export const documentHandlerFile = 'functions/openapi/retrieve.ts'

/** Bundles the function that serves the document into a folder of its own below `outDir`; returns that folder. */
export const bundleDocument = async (outDir: string): Promise<string> => {
  const folder = join(outDir, 'openapi', 'retrieve')
  await bundleInto(folder, { entryPoints: [documentHandlerFile], plugins: [finishedDocument] })
  return folder
}
