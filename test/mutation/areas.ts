/** A part of the sources, and the tests that should notice its mutants. */
export interface Area {
  readonly mutate: readonly string[]
  /** Patterns of the beginnings of test files below `test/`. */
  readonly tests: readonly string[]
  /** Whether the tests run the code in other processes, where Stryker cannot see coverage and must run all tests. */
  readonly asProcesses?: true
}

/** The areas of mutation testing. */
export const areas: Readonly<Record<string, Area>> = {
  leaves: {
    mutate: ['shared/!(budget).ts'],
    tests: ['{clock,config,ids,log,spread}', 'api/{ids,responses}', 'http/secure-schemas'],
  },
  pagination: { mutate: ['shared/pagination/*.ts'], tests: ['pagination/', 'api/list'] },
  contract: {
    mutate: ['shared/contract/*.ts'],
    tests: ['contract/', 'api/{customers,fields,line-items,responses,rules}'],
  },
  requests: {
    mutate: ['shared/http/{exact-json,exact-number,faults,json-fault,paths,query,request,shown,suggest}.ts'],
    tests: ['http/', 'api/{faults,includes,list,rules}'],
  },
  pipeline: {
    mutate: [
      'shared/http/!(compile|cors|exact-json|exact-number|faults|json-fault|paths|query|request|shown|suggest).ts',
    ],
    tests: [
      'api/{credentials,faults,ids,includes,large-pages,line-items,list,reading,responses}',
      'http/',
      'log',
    ],
  },
  wiring: {
    mutate: ['shared/http/{compile,cors}.ts', 'shared/store/table.ts', 'shared/store/aws/!(failure).ts'],
    tests: ['api/{list,product-prices}', 'http/{cors,secure-schemas}', 'local/service', 'store/{aws,calls}'],
  },
  resources: {
    mutate: ['shared/resources/*.ts'],
    tests: ['api/{create,customers,fields,line-items,model,rules,subscription}', 'store/calls'],
  },
  calls: {
    mutate: ['shared/{budget,store/aws/failure,store/batch,store/send}.ts'],
    tests: ['store/{batch,send}', 'budget', 'faults/{budget,lost}', 'store/aws/failure'],
  },
  items: {
    mutate: ['shared/store/{credentials,items,keys,references,update-expression}.ts'],
    tests: ['api/{create,credentials,customers,erasure,ids,line-items,model}', 'ids', 'store/calls'],
  },
  entities: {
    mutate: ['shared/store/{derived,entities,includes,lists,operations,query,stamps,updates}.ts'],
    tests: [
      'api/{create,credentials,customers,erasure,includes,large-pages}',
      'api/{list,model,product-prices,shards,subscription}',
      'faults/late-writes',
      'store/{calls,children,stamps}',
    ],
  },
  document: {
    mutate: ['shared/openapi/!(guides|page*|samples|scalar-script).ts'],
    tests: ['openapi/{document,schemas,statuses}', 'package/generated'],
  },
  gateway: {
    mutate: ['tools/local/{gateway,server,settings}.ts'],
    tests: ['api/{mistakes,routes}', 'local/{gateway,settings}', 'openapi/served'],
  },
  pages: {
    mutate: ['shared/openapi/{guides,page*,samples,scalar-script}.ts', 'tools/local/docs.ts'],
    tests: ['openapi/{docs,served}'],
    asProcesses: true,
  },
  local: {
    mutate: ['tools/local/{collection,create-table,data-folder,database,demo,engine,service}.ts'],
    tests: ['local/{engine,service}'],
  },
  operator: { mutate: ['tools/operator/*.ts'], tests: ['operator/'] },
  program: {
    mutate: ['tools/local/exit.ts', 'tools/testing/{parent-process,program,service}.ts'],
    tests: ['local/start', 'testing/{program,service}'],
    asProcesses: true,
  },
  testing: {
    mutate: ['tools/testing/!(parent-process|program|service).ts'],
    tests: ['testing/{controls,double,faults}'],
  },
  transfer: { mutate: ['tools/transfer/*.ts'], tests: ['transfer/'] },
  applications: {
    mutate: ['shared/store/authorisation.ts', 'tools/applications/*.ts'],
    tests: ['api/{credentials,keys}', 'applications/', 'faults/{late-commands,lost}'],
  },
}
