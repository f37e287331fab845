/** A part of `shared/` and the tests that are about it, by which its mutants are tried. */
export interface Area {
  readonly mutate: readonly string[]
  /** Beginnings of the paths of test files below `test/`. */
  readonly tests: readonly string[]
}

/** What is mutated. Only tests that run the code in their own process, and soon, can tell a mutant. */
export const areas: Readonly<Record<string, Area>> = {
  leaves: { mutate: ['shared/*.ts'], tests: ['clock', 'config', 'ids', 'log', 'api/ids', 'api/responses'] },
  pagination: { mutate: ['shared/pagination/*.ts'], tests: ['pagination/', 'api/lists'] },
  contract: {
    mutate: ['shared/contract/*.ts'],
    tests: ['contract/', 'api/rules', 'api/fields', 'api/line-items'],
  },
  http: {
    mutate: ['shared/http/*.ts'],
    tests: [
      'http/',
      'api/rules',
      'api/faults',
      'api/re',
      'api/routes',
      'api/credentials',
      'api/lists',
      'api/includes',
    ],
  },
  resources: {
    mutate: ['shared/resources/*.ts'],
    tests: ['api/subscription', 'api/rules', 'api/fields', 'api/line-items', 'api/customers', 'api/creates'],
  },
  store: {
    mutate: ['shared/store/*.ts'],
    tests: [
      'store/batch',
      'store/budget',
      'store/calls',
      'store/children',
      'store/failure',
      'api/creates',
      'api/credentials',
      'api/customers',
      'api/erasure',
      'api/includes',
      'api/lists',
      'api/product-prices',
      'api/replays',
      'api/subscription',
      'faults/budget',
      'faults/lost',
      'local/apps',
    ],
  },
}
