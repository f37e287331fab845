/** A part of the sources, and the tests that should notice its mutants. */
export interface Area {
  readonly mutate: readonly string[]
  /** Prefixes of paths of test files below `test/`. */
  readonly tests: readonly string[]
  /** Whether the tests run the code in other processes, where Stryker cannot see coverage and must run all tests. */
  readonly asProcesses?: true
}

/** The areas of mutation testing. */
export const areas: Readonly<Record<string, Area>> = {
  leaves: {
    mutate: ['shared/!(budget).ts'],
    tests: ['clock', 'config', 'ids', 'log', 'spread', 'api/ids', 'api/responses', 'http/secure-schemas'],
  },
  pagination: { mutate: ['shared/pagination/*.ts'], tests: ['pagination/', 'api/list'] },
  contract: {
    mutate: ['shared/contract/*.ts'],
    tests: ['contract/', 'api/customers', 'api/fields', 'api/line-items', 'api/responses', 'api/rules'],
  },
  requests: {
    mutate: ['shared/http/{exact-json,exact-number,faults,json-fault,paths,query,request,shown,suggest}.ts'],
    tests: ['http/', 'api/faults', 'api/list', 'api/rules'],
  },
  pipeline: {
    mutate: [
      'shared/http/!(compile|cors|exact-json|exact-number|faults|json-fault|paths|query|request|shown|suggest).ts',
    ],
    tests: [
      'api/credentials',
      'api/faults',
      'api/ids',
      'api/includes',
      'api/large-pages',
      'api/line-items',
      'api/list',
      'api/reading',
      'api/responses',
      'http/',
      'log',
    ],
  },
  wiring: {
    mutate: [
      'shared/http/{compile,cors}.ts',
      'shared/store/{create-table,table}.ts',
      'shared/store/aws/!(failure).ts',
    ],
    tests: [
      'api/list',
      'api/product-prices',
      'http/cors',
      'http/secure-schemas',
      'local/service',
      'store/aws',
      'store/calls',
    ],
  },
  resources: {
    mutate: ['shared/resources/*.ts'],
    tests: [
      'api/create',
      'api/customers',
      'api/fields',
      'api/line-items',
      'api/model',
      'api/rules',
      'api/subscription',
      'store/capacity',
    ],
  },
  calls: {
    mutate: ['shared/{budget,store/aws/failure,store/batch,store/send}.ts'],
    tests: ['store/batch', 'budget', 'store/aws/failure', 'store/send'],
  },
  items: {
    mutate: ['shared/store/{credentials,items,keys,references,update-expression}.ts'],
    tests: [
      'api/create',
      'api/credentials',
      'api/customers',
      'api/erasure',
      'api/ids',
      'api/line-items',
      'api/replays',
      'ids',
      'store/capacity',
    ],
  },
  entities: {
    mutate: ['shared/store/{derived,entities,includes,lists,operations,query,stamps,updates}.ts'],
    tests: [
      'api/create',
      'api/credentials',
      'api/customers',
      'api/erasure',
      'api/includes',
      'api/large-pages',
      'api/list',
      'api/model',
      'api/product-prices',
      'api/replays',
      'api/shards',
      'api/subscription',
      'faults/late-writes',
      'store/calls',
      'store/children',
      'store/stamps',
    ],
  },
  document: {
    mutate: ['shared/openapi/!(guides|page*|samples|scalar-script).ts'],
    tests: ['openapi/document', 'openapi/schemas', 'openapi/statuses'],
  },
  gateway: {
    mutate: ['tools/local/{gateway,server,settings}.ts'],
    tests: ['api/mistakes', 'api/routes', 'local/gateway', 'local/settings', 'openapi/served'],
  },
  pages: {
    mutate: ['shared/openapi/{guides,page*,samples,scalar-script}.ts', 'tools/local/docs.ts'],
    tests: ['openapi/docs', 'openapi/served'],
    asProcesses: true,
  },
  local: {
    mutate: ['tools/local/{collection,data-folder,database,demo,engine,service}.ts'],
    tests: ['local/engine', 'local/service'],
  },
  operator: { mutate: ['tools/operator/*.ts'], tests: ['operator/'] },
  program: {
    mutate: ['tools/local/exit.ts', 'tools/testing/{parent-process,program,service}.ts'],
    tests: ['local/start', 'testing/program', 'testing/service'],
    asProcesses: true,
  },
  testing: {
    mutate: ['tools/testing/!(parent-process|program|service).ts'],
    tests: ['testing/controls', 'testing/double', 'testing/faults'],
  },
  transfer: { mutate: ['tools/transfer/*.ts'], tests: ['transfer/'] },
  applications: {
    mutate: ['shared/store/{api-keys,application-records,applications,authorisation}.ts'],
    tests: ['api/credentials', 'api/keys', 'faults/late-commands', 'faults/lost', 'store/applications'],
  },
}
