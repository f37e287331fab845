import { dirname } from 'node:path'
import { catalogue, deployables, resources } from '../shared/catalogue.ts'
import { referencesOf } from '../shared/contract/references.ts'
import { files, importsOf, source, textOf } from './support/sources.ts'

/** Returns the room of a file: its folder, or the top folder for functions, bench and tests. The catalogue is a room of its own. */
const roomOf = (file: string): string =>
  file === 'shared/catalogue.ts'
    ? 'catalogue'
    : (/^(functions|bench|test)\b/.exec(file)?.[0] ?? dirname(file))

/** All rooms. Each imports only from those before it. */
const rooms = [
  'client',
  'client/analytics',
  'console/text',
  'console/copy',
  'console',
  'shared',
  'shared/pagination',
  'shared/contract',
  'shared/store/aws',
  'shared/store',
  'shared/http',
  'shared/resources',
  'catalogue',
  'shared/openapi',
  'shared/site',
  'functions',
  'lib',
  'lib/bundle',
  'lib/functions',
  'lib/gateway',
  'lib/watching',
  'lib/stack',
  'tools/applications',
  'tools/local',
  'tools/operator',
  'tools/testing',
  'tools/transfer',
  'tools/package',
  'tools/smoke',
  'bench',
  'bin',
]

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
  it('have a place for every room', () => {
    expect([...new Set(source.map(roomOf))].sort()).toEqual([...rooms].sort())
  })

  it.each(rooms)('of %s come from rooms before it', (room) => {
    const used = source
      .filter((file) => roomOf(file) === room)
      .flatMap((file) => importsOf(file).filter((each) => ours.has(each) && roomOf(each) !== room))
      .map(roomOf)
    expect(used.filter((each) => rooms.indexOf(each) > rooms.indexOf(room))).toEqual([])
  })

  it('form no cycle of files', () => {
    const imports = source.map((file) => [file, importsOf(file).filter((each) => ours.has(each))] as const)
    expect(circlesIn(new Map(imports))).toEqual([])
  })

  it.each([
    [
      'functions: no catalogue, which would put the whole API into each',
      /^functions\/(?!openapi)/,
      /^shared\/(openapi|site|catalogue)/,
    ],
    ['the construct library: lib and bin only', /^(?!lib\/|bin\/)/, /^(aws-cdk-lib|constructs|cdk-nag)\b/],
    ['the SDK: the store and tools only', /^(?!shared\/store\/|tools\/|bench\/|lib\/)/, /^@aws-sdk\//],
    ['the client: the console and tools only', /^(?!client\/|console\/|tools\/)/, /^client\//],
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
        if (!reference.startsEntity) expect(listed.slice(0, listed.indexOf(name))).toContain(reference.target)
  })

  it('names the endpoint that each handler serves', () => {
    for (const endpoint of catalogue) {
      const text = textOf(endpoint.file)
      expect([endpoint.id, text.includes(`serve(${endpoint.id}`)]).toEqual([endpoint.id, true])
      expect([endpoint.id, text.includes('export const handler = ')]).toEqual([endpoint.id, true])
    }
  })

  it('marks a resource as changing if it has an update, or no create since it is derived', () => {
    for (const resource of resources.values()) {
      const operations = catalogue.filter((each) => each.resource === resource).map((each) => each.operation)
      const changes = operations.includes('update') || !operations.includes('create')
      expect([resource.name, resource.isMutable ?? false]).toEqual([resource.name, changes])
    }
  })

  it('gives each resource its own id prefix', () => {
    const prefixes = new Map(catalogue.map(({ resource }) => [resource.name, resource.prefix]))
    expect(new Set(prefixes.values()).size).toBe(prefixes.size)
  })
})
