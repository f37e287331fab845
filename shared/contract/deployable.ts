/** A function that is deployed: it is bundled, granted, watched and served by what it states here. */
export interface Deployable {
  /** `<folder>.<file>`, in logs and names of resources. */
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT'
  /** The route that it serves, below the base URL, with `{id}` where an id is taken (§4). */
  readonly path: string
  readonly summary: string
  /** The module that exports its `handler`, from the project's root. */
  readonly file: string
  /** Whether it works on the table: it then gets the rights that it needs, and warms up by a look-up. */
  readonly usesTable: boolean
  /** Which throttle of a stage bounds it. */
  readonly throttle: 'read' | 'write' | 'document'
}

/** Serves the OpenAPI document, which is no operation of the API and asks for no key. */
export const document: Deployable = {
  id: 'openapi.retrieve',
  method: 'GET',
  path: '/openapi.json',
  summary: 'The OpenAPI document',
  file: 'functions/openapi/retrieve.ts',
  usesTable: false,
  throttle: 'document',
}
