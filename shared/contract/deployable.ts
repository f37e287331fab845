/** A deployed function. Bundle, permissions, alarms and routes are derived from it. */
export interface Deployable {
  /** Its name in logs and in the stack: `<folder>.<file>`. */
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT'
  /** The path of its route below the base URL, with `{id}` for an id (§4). */
  readonly path: string
  /** Further paths that it serves with GET, if the stage has `docs`. */
  readonly pages?: readonly string[]
  readonly summary: string
  /** The path of the module that exports its `handler`. */
  readonly file: string
  /** Whether it uses the table. If so, it has permissions for it and warms up with a read. */
  readonly usesTable: boolean
  /** The throttle of the stage that applies to it. */
  readonly throttle: 'read' | 'write' | 'document' | 'page'
}

/** Returns a deployable once for each of its routes; `docs` says whether its pages are served. */
export const routesOf = <D extends Deployable>(deployable: D, docs: boolean): D[] => [
  deployable,
  ...((docs && deployable.pages) || []).map((path) => ({
    ...deployable,
    method: 'GET' as const,
    path,
    throttle: 'page' as const,
  })),
]

/** The path of the documentation page. */
export const DOCS_PATH = '/docs'

/** Where the script of that page is served. */
export const DOCS_SCRIPT_PATH = `${DOCS_PATH}/scalar.js`

/** The function that serves the OpenAPI document and the documentation page, which require no key. */
export const document: Deployable = {
  id: 'openapi.retrieve',
  method: 'GET',
  path: '/openapi.json',
  pages: [DOCS_PATH, DOCS_SCRIPT_PATH],
  summary: 'The OpenAPI document',
  file: 'functions/openapi/retrieve.ts',
  usesTable: false,
  throttle: 'document',
}
