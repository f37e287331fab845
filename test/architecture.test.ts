import { dirname } from 'node:path'
import { catalogue, deployables, resources } from '../shared/catalogue.ts'
import { referencesOf } from '../shared/contract/references.ts'
import { files, importsOf, source, textOf } from './support/sources.ts'

/** Returns the room of a file: its folder, or the top folder for functions, bench and tests. The catalogue is a room of its own. */
const roomOf = (file: string): string =>
  file === 'shared/catalogue.ts'
    ? 'catalogue'
    : (/^(functions|bench|test)\b/.exec(file)?.[0] ?? dirname(file))

/** The rooms that each room imports from. Every room must be listed. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  shared: [],
  'shared/pagination': [],
  'shared/contract': ['shared', 'shared/pagination'],
  'shared/resources': ['shared/contract'],
  catalogue: ['shared/contract', 'shared/resources'],
  'shared/store': ['shared', 'shared/contract', 'shared/pagination', 'shared/store/aws'],
  'shared/store/aws': ['shared'],
  'shared/http': ['shared', 'shared/contract', 'shared/pagination', 'shared/store', 'shared/store/aws'],
  'shared/openapi': ['shared', 'shared/contract', 'shared/pagination', 'shared/http', 'catalogue'],
  functions: [
    'shared',
    'shared/contract',
    'shared/resources',
    'shared/http',
    'shared/store',
    'shared/openapi',
  ],
  client: [],
  console: ['client'],
  lib: [],
  'lib/bundle': ['catalogue', 'shared/contract', 'shared/http', 'shared/openapi', 'shared/store/aws'],
  'lib/functions': ['lib', 'catalogue', 'shared', 'shared/contract', 'shared/store'],
  'lib/gateway': ['lib', 'lib/functions', 'shared', 'shared/contract', 'shared/http'],
  'lib/watching': ['lib', 'lib/functions', 'lib/gateway', 'shared', 'shared/contract', 'shared/store'],
  'lib/stack': [
    ...['lib', 'lib/functions', 'lib/gateway', 'lib/watching'],
    ...['catalogue', 'shared/contract', 'shared/store'],
  ],
  'tools/applications': ['shared', 'shared/store'],
  'tools/local': [
    ...['tools/applications', 'catalogue', 'shared', 'shared/contract', 'shared/http'],
    ...['shared/openapi', 'shared/store', 'shared/store/aws'],
  ],
  'tools/operator': [
    'tools/applications',
    'tools/local',
    'catalogue',
    'shared',
    'shared/contract',
    'shared/resources',
    'shared/store',
  ],
  'tools/package': ['lib/bundle', 'catalogue', 'shared/contract', 'shared/openapi', 'tools/testing'],
  'tools/smoke': ['client', 'catalogue', 'shared/contract', 'shared/openapi'],
  'tools/testing': [
    ...['tools/applications', 'tools/local', 'client', 'catalogue', 'shared'],
    ...['shared/contract', 'shared/http', 'shared/openapi', 'shared/store'],
  ],
  'tools/transfer': [
    ...['tools/applications', 'tools/local', 'tools/operator', 'client', 'catalogue', 'shared'],
    ...['shared/contract', 'shared/resources', 'shared/http', 'shared/store'],
  ],
  bench: [
    ...['test', 'tools/applications', 'tools/local', 'tools/operator', 'lib/bundle', 'catalogue', 'shared'],
    ...['shared/contract', 'shared/http', 'shared/openapi', 'shared/resources'],
  ],
  bin: [
    ...['bench', 'catalogue', 'lib', 'lib/bundle', 'lib/stack', 'shared', 'shared/contract'],
    ...['shared/openapi', 'shared/store', 'tools/local', 'tools/operator', 'tools/package', 'tools/smoke'],
    ...['tools/testing', 'tools/transfer'],
  ],
}

const ours = new Set(files)

/** Returns the nodes of a graph that are part of a cycle or lead back to themselves. */
const circlesIn = (graph: ReadonlyMap<string, readonly string[]>): string[] => {
  const reach = (from: string, seen = new Set<string>()): Set<string> => {
    for (const next of graph.get(from) ?? []) if (!seen.has(next)) reach(next, seen.add(next))
    return seen
  }
  return [...graph.keys()].filter((node) => reach(node).has(node))
}

describe('imports', () => {
  it('are stated for every room', () => {
    expect([...new Set(source.map(roomOf))].sort()).toEqual(Object.keys(arrows).sort())
  })

  it.each(Object.entries(arrows))('of %s come from the stated rooms, and no others', (room, below) => {
    const used = source
      .filter((file) => roomOf(file) === room)
      .flatMap((file) => importsOf(file).filter((each) => ours.has(each) && roomOf(each) !== room))
    expect([...new Set(used.map(roomOf))].sort()).toEqual([...below].sort())
  })

  it('form no cycle of files or rooms', () => {
    const imports = source.map((file) => [file, importsOf(file).filter((each) => ours.has(each))] as const)
    expect(circlesIn(new Map(imports))).toEqual([])
    expect(circlesIn(new Map(Object.entries(arrows)))).toEqual([])
    expect(
      circlesIn(
        new Map([
          ['a', ['b']],
          ['b', ['c']],
          ['c', ['b']],
        ]),
      ),
    ).toEqual(['b', 'c'])
  })

  it.each([
    [
      'functions: no catalogue, which would put the whole API into each',
      /^functions\/(?!openapi)/,
      /^shared\/openapi/,
    ],
    ['the construct library: lib and bin only', /^(?!lib\/|bin\/)/, /^(aws-cdk-lib|constructs|cdk-nag)\b/],
    ['the SDK: the store and tools only', /^(?!shared\/store\/|tools\/|bench\/|lib\/)/, /^@aws-sdk\//],
    ['only tests and the bench: the tests', /^(?!bench\/)/, /^test\//],
  ])('%s', (_, who, what) => {
    const of = source.filter((file) => who.test(file))
    expect(of.length).toBeGreaterThan(0)
    expect(
      of.flatMap((file) => importsOf(file).flatMap((each) => (what.test(each) ? [`${file}: ${each}`] : []))),
    ).toEqual([])
  })
})

describe('the catalogue', () => {
  it('has a handler file for every entry, and an entry for every handler file', () => {
    expect(deployables.map(({ file }) => file).sort()).toEqual(
      files.filter((file) => file.startsWith('functions/')).sort(),
    )
  })

  it('gives each operation an id and a route of its own', () => {
    expect(new Set(catalogue.map(({ id }) => id)).size).toBe(catalogue.length)
    expect(new Set(catalogue.map(({ method, path }) => `${method} ${path}`)).size).toBe(catalogue.length)
    for (const { id, resource, operation } of catalogue) expect(id).toBe(`${resource.plural}.${operation}`)
  })

  it('lists a resource after the resources that it refers to', () => {
    const listed = [...resources.keys()]
    const created = catalogue
      .filter(({ operation }) => operation === 'create')
      .map(({ resource }) => resource)
    for (const { name, fields } of created)
      for (const { reference } of referencesOf(fields))
        if (!reference.mayBegin) expect(listed.slice(0, listed.indexOf(name))).toContain(reference.target)
  })

  it('names the endpoint that each handler serves', () => {
    for (const endpoint of catalogue) {
      const text = textOf(endpoint.file)
      expect([endpoint.id, text.includes(`serve(${endpoint.id}`)]).toEqual([endpoint.id, true])
      expect([endpoint.id, text.includes('export const handler = ')]).toEqual([endpoint.id, true])
    }
  })

  it('says of a resource that it changes if it has an update, or no create since it is derived', () => {
    for (const resource of resources.values()) {
      const operations = catalogue.filter((each) => each.resource === resource).map((each) => each.operation)
      const changes = operations.includes('update') || !operations.includes('create')
      expect([resource.name, resource.changes ?? false]).toEqual([resource.name, changes])
    }
  })

  it('gives each resource its own id prefix', () => {
    const prefixes = new Map(catalogue.map(({ resource }) => [resource.name, resource.prefix]))
    expect(new Set(prefixes.values()).size).toBe(prefixes.size)
  })
})
