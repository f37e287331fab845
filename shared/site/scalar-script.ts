import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'

/** The module that contains the script. */
export const scalarFile = new URL(
  '../../node_modules/@scalar/fastify-api-reference/dist/index.js',
  import.meta.url,
)

/**
 * Returns the script that renders the documentation page. Its package contains it only as a string within a fastify
 * plugin. That string is read from the source, since importing the plugin would take fifty packages. Throws Error if it is
 * not there.
 */
export const scalarScript = (): string => {
  const [, literal] = /^var standalone_default = (".*");$/m.exec(readFileSync(scalarFile, 'utf8')) ?? []
  if (!literal) throw new Error(`${scalarFile.pathname} has no script`)
  // The literal is JavaScript, not JSON.
  return runInNewContext(literal) as string
}
