interface PagesServed {
  readonly docs: boolean
  readonly console: boolean
}

/** A deployed function. Bundle, permissions, alarms and routes are derived from it. */
export interface Deployable {
  /** The name in logs and in the stack: `<folder>.<file>`. */
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT'
  /** The path of its route below the base URL, with `{id}` for an id. */
  readonly path: string
  /** Further paths that it serves with GET, by the setting of the stage that enables them. */
  readonly pages?: Readonly<Record<keyof PagesServed, readonly string[]>>
  readonly summary: string
  /** The path of the module that exports its `handler`. */
  readonly file: string
  /** Whether it uses the table. If so, it has permissions for it and warms up with a read. */
  readonly usesTable: boolean
  /** The throttle of the stage that applies to it. */
  readonly throttle: 'read' | 'write' | 'document' | 'page'
}

/** Returns the paths of those pages of a deployable that are served; of all by default. */
export const pagePaths = (
  { pages }: Deployable,
  { docs, console }: PagesServed = { docs: true, console: true },
): readonly string[] => {
  const docsPages = docs ? (pages?.docs ?? []) : []
  const consolePages = console ? (pages?.console ?? []) : []
  return [...docsPages, ...consolePages]
}

/** Returns a deployable once for each of its routes. */
export const routesOf = <D extends Deployable>(deployable: D, served: PagesServed): D[] => [
  deployable,
  ...pagePaths(deployable, served).map((path) => ({
    ...deployable,
    method: 'GET' as const,
    path,
    throttle: 'page' as const,
  })),
]

/** Returns the methods that a route accepts. A route with GET also accepts HEAD, which is GET without the body of the response. */
export const acceptedMethods = ({ method }: Pick<Deployable, 'method'>): readonly string[] =>
  method === 'GET' ? ['GET', 'HEAD'] : [method]

/** The paths of the documentation page and the console, and of their files. */
export const DOCS_PATH = '/docs'
export const DOCS_SCRIPT_PATH = `${DOCS_PATH}/scalar.js`
export const CONSOLE_PATH = '/console'
export const CONSOLE_SCRIPT_PATH = `${CONSOLE_PATH}/console.js`
export const CONSOLE_STYLES_PATH = `${CONSOLE_PATH}/console.css`

/** The function that serves the OpenAPI document, the documentation page and the console, which require no key. */
export const documentFunction: Deployable = {
  id: 'openapi.retrieve',
  method: 'GET',
  path: '/openapi.json',
  pages: {
    docs: [DOCS_PATH, DOCS_SCRIPT_PATH],
    console: [CONSOLE_PATH, CONSOLE_SCRIPT_PATH, CONSOLE_STYLES_PATH],
  },
  summary: 'The OpenAPI document',
  file: 'functions/openapi/retrieve.ts',
  usesTable: false,
  throttle: 'document',
}
