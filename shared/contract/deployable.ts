/** A function that is deployed: it is bundled, granted, watched and served by what it states here. */
export interface Deployable {
  /** `<folder>.<file>`, in logs and names of resources. */
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT'
  /** The route that it serves, below the base URL, with `{id}` where an id is taken (§4). */
  readonly path: string
  /** Paths that it serves by GET as well, where the stage has `docs`. */
  readonly pages?: readonly string[]
  readonly summary: string
  /** The module that exports its `handler`, from the project's root. */
  readonly file: string
  /** Whether it works on the table: it then gets the rights that it needs, and warms up by a look-up. */
  readonly usesTable: boolean
  /** Which throttle of a stage bounds it. */
  readonly throttle: 'read' | 'write' | 'document'
}

/** Returns a deployable once for each of its routes; `docs` says whether its pages are served. */
export const routesOf = <D extends Deployable>(deployable: D, docs: boolean): D[] => [
  deployable,
  ...((docs && deployable.pages) || []).map((path) => ({ ...deployable, method: 'GET' as const, path })),
]

/** The path of the documentation page. */
export const DOCS_PATH = '/docs'

/** Serves the OpenAPI document and the page that shows it. They are no operations of the API and ask for no key. */
export const document: Deployable = {
  id: 'openapi.retrieve',
  method: 'GET',
  path: '/openapi.json',
  pages: [DOCS_PATH, `${DOCS_PATH}/scalar.js`],
  summary: 'The OpenAPI document',
  file: 'functions/openapi/retrieve.ts',
  usesTable: false,
  throttle: 'document',
}
