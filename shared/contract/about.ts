import type { Values } from './schema.ts'

/** The description of a field, parameter or resource, and an example of a value in a request. */
export interface About {
  readonly description: string
  readonly example?: unknown
}

/** An example request in the documents. */
export interface Example {
  readonly summary: string
  /** The values that differ from the fields' own examples; undefined removes a field. */
  readonly changes: Values
}

/**
 * Documents a field: `description` reaches the OpenAPI document, the client's types and the documentation
 * page; `example` completes the example requests and must be valid. The build of a function drops both, so
 * its bundle contains no texts. This is a function declaration because esbuild does not inline other empty
 * functions.
 */
export function about(description: string, example?: unknown): About | undefined {
  return example === undefined ? { description } : { description, example }
}

/** Documents an example request, see `Example`; dropped from functions like `about`. */
export function example(summary: string, changes: Values = {}): Example | undefined {
  return { summary, changes }
}
