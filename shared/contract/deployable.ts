/** Which pages a stage serves: the documentation page, and the console. */
interface ServedPages {
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
  /** Further paths that it serves with GET, by the setting of the stage that turns them on. */
  readonly pages?: Readonly<Record<keyof ServedPages, readonly string[]>>
  /** What it does; the document has the summary of an endpoint. */
  readonly summary?: string
  /** The path of the module that exports its `handler`. */
  readonly file: string
  /** Whether it uses the table. If it does, it has permissions for the table and warms up with a read. */
  readonly usesTable: boolean
  /** The throttle of the stage that applies to it. With `read`, the `bytes` in its log lines also count towards a metric. */
  readonly throttle: 'read' | 'write' | 'document' | 'page'
}

/** The paths of the pages of a deployable that a stage serves; of all pages by default. */
export const pagePaths = (
  { pages }: Deployable,
  { docs, console }: ServedPages = { docs: true, console: true },
): readonly string[] => {
  const docsPages = docs ? (pages?.docs ?? []) : []
  const consolePages = console ? (pages?.console ?? []) : []
  return [...docsPages, ...consolePages]
}

/** A deployable once for each of its routes, with the method, path and throttle of that route. */
export const routesOf = <D extends Deployable>(deployable: D, served: ServedPages): D[] => [
  deployable,
  ...pagePaths(deployable, served).map((path) => ({
    ...deployable,
    method: 'GET' as const,
    path,
    throttle: 'page' as const,
  })),
]
