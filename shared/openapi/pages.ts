import { gzipSync } from 'node:zlib'
import { DOCS_PATH } from '../contract/deployable.ts'
import { docsPage } from './page.ts'
import { scalarScript } from './scalar-script.ts'

const contents: Readonly<Record<string, () => string>> = {
  [DOCS_PATH]: docsPage,
  [`${DOCS_PATH}/scalar.js`]: scalarScript,
}

/**
 * Returns what is served at the path of a page, compressed, or undefined at any other path. Made at each request, so
 * that a change is seen; a build replaces this module with finished files (`#pages`).
 */
export const pageAt = (path: string): Buffer | undefined => {
  const content = Object.hasOwn(contents, path) ? contents[path]?.() : undefined
  return content === undefined ? undefined : gzipSync(content)
}
