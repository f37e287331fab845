import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import {
  CONSOLE_PATH,
  CONSOLE_SCRIPT_PATH,
  CONSOLE_STYLES_PATH,
  DOCS_PATH,
  DOCS_SCRIPT_PATH,
} from '../contract/document-function.ts'
import { consoleFiles, consolePage } from './console.ts'
import { docsPage } from './docs-page.ts'

/** The module that contains the script. */
export const scalarFile = new URL(
  '../../node_modules/@scalar/fastify-api-reference/dist/index.js',
  import.meta.url,
)

/**
 * The script that renders the documentation page. Its package contains it only as a string within a fastify
 * plugin. That string is read from the source, since importing the plugin would take fifty packages. Throws
 * Error if it is not there.
 */
const scalarScript = (): string => {
  const [, literal] = /^var standalone_default = (".*");$/m.exec(readFileSync(scalarFile, 'utf8')) ?? []
  if (!literal) throw new Error(`${scalarFile.pathname} has no script`)
  // The literal is JavaScript, not JSON.
  return runInNewContext(literal) as string
}

let script: Buffer | undefined

const contents: Readonly<Record<string, () => Buffer>> = {
  // Made for each request, so that an edited guide is seen.
  [DOCS_PATH]: () => gzipSync(docsPage()),
  // Made once, since compressing 4 MB blocks the process.
  [DOCS_SCRIPT_PATH]: () => {
    script ??= gzipSync(scalarScript())
    return script
  },
  [CONSOLE_PATH]: () => gzipSync(consolePage()),
  [CONSOLE_SCRIPT_PATH]: () => gzipSync(consoleFiles().script),
  [CONSOLE_STYLES_PATH]: () => gzipSync(consoleFiles().styles),
}

/**
 * The compressed content of the page at a path, or undefined if there is none. A build replaces this module
 * with one that reads finished files (`#pages`).
 */
export const pageAt = (path: string): Buffer | undefined =>
  Object.hasOwn(contents, path) ? contents[path]?.() : undefined
