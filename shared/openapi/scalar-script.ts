import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'

/** The module that has the script. */
export const scalarFile = new URL(
  '../../node_modules/@scalar/fastify-api-reference/dist/index.js',
  import.meta.url,
)

/**
 * The script that renders the documentation page. Its package has it as a string of a fastify plugin only, which is read
 * here: to import the plugin would take fifty packages. Throws if the package no longer has it.
 */
export const scalarScript = (): string => {
  const [, literal] = /^var standalone_default = (".*");$/m.exec(readFileSync(scalarFile, 'utf8')) ?? []
  if (!literal) throw new Error(`${scalarFile.pathname} has no script`)
  // It is a literal of JavaScript, not of JSON.
  return runInNewContext(literal) as string
}
