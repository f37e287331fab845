import { dirname } from 'node:path'
import { catalogue, deployables, resourcesByName } from '../shared/catalogue.ts'
import { createMayUpdate, type Endpoint } from '../shared/contract/endpoint.ts'
import { descriptiveFieldNames } from '../shared/contract/field.ts'
import type { Include } from '../shared/contract/include.ts'
import { fieldPathOf, referenceAt, referencesOf } from '../shared/contract/references.ts'
import { importsOf, productFiles, sourceFiles } from './support/sources.ts'

/** Returns the layer of a file: its folder, the top folder for functions, bench and tests, or `catalogue`. */
const layerOf = (file: string): string =>
  file === 'shared/catalogue.ts'
    ? 'catalogue'
    : (/^(functions|bench|test)\b/.exec(file)?.[0] ?? dirname(file))

/** All layers. Each imports only from those before it. */
const layers = [
  'shared/money',
  'shared/text',
  'client',
  'client/analytics/lines',
  'client/analytics',
  'console/text',
  'console/guides',
  'console/records',
  'console/figures',
  'console/lists',
  'console/copy',
  'console/frame',
  'console/parts',
  'console/top-bar',
  'console/tables',
  'console/forms',
  'console/plot',
  'console/charts',
  'console/views/figures',
  'console/views/lists',
  'console/views/records',
  'console/views',
  'console',
  'shared',
  'shared/pagination',
  'shared/contract',
  'shared/resources',
  'catalogue',
  'shared/cold-start/sdk',
  'shared/store/aws',
  'shared/store',
  'shared/http/validation',
  'shared/http',
  'shared/cold-start',
  'shared/openapi',
  'shared/site',
  'functions',
  'lib',
  'lib/bundle',
  'lib/functions',
  'lib/gateway',
  'lib/monitoring',
  'lib/stack',
  'tools/cli',
  'tools/applications',
  'tools/local',
  'tools/operator',
  'tools/testing/scenario',
  'tools/testing',
  'tools/demo',
  'tools/transfer',
  'tools/transfer/formats/csv',
  'tools/transfer/formats/stripe',
  'tools/transfer/formats',
  'tools/transfer/import',
  'tools/transfer/export',
  'tools/package',
  'tools/smoke',
  'bench',
  'bin',
]

const ours = new Set(sourceFiles)

/** Returns the nodes of a graph that are part of a cycle. */
const cyclesIn = (graph: ReadonlyMap<string, readonly string[]>): string[] => {
  const reach = (from: string, seen = new Set<string>()): Set<string> => {
    for (const next of graph.get(from) ?? []) if (!seen.has(next)) reach(next, seen.add(next))
    return seen
  }
  return [...graph.keys()].filter((node) => reach(node).has(node))
}

it('knows the layer of every file', () => {
  expect([...new Set(productFiles.map(layerOf))].sort()).toEqual([...layers].sort())
})

it.each(layers)('lets %s import only from layers before it', (layer) => {
  const used = productFiles
    .filter((file) => layerOf(file) === layer)
    .flatMap((file) => importsOf(file).filter((each) => ours.has(each) && layerOf(each) !== layer))
    .map(layerOf)
  expect(used.filter((each) => layers.indexOf(each) > layers.indexOf(layer))).toEqual([])
})

it('has no cycle of imports', () => {
  const imports = productFiles.map(
    (file) => [file, importsOf(file).filter((each) => ours.has(each))] as const,
  )
  expect(cyclesIn(new Map(imports))).toEqual([])
})

it.each([
  [
    'keeps the OpenAPI document and the pages out of the functions of the endpoints',
    /^functions\/(?!openapi)/,
    /^shared\/(openapi|site)/,
  ],
  [
    'imports the construct library in lib and bin only',
    /^(?!lib\/|bin\/)/,
    /^(aws-cdk-lib|constructs|cdk-nag)\b/,
  ],
  [
    'imports the SDK in the store, the room of cold starts, the deployment, tools and the bench only',
    /^(?!shared\/store\/|shared\/cold-start\/|tools\/|bench\/|lib\/)/,
    /^@aws-sdk\//,
  ],
  [
    'imports the client in the console, tools and the bench only',
    /^(?!client\/|console\/|tools\/|bench\/)/,
    /^client\//,
  ],
  ['imports tests in the bench only', /^(?!bench\/)/, /^test\//],
])('%s', (_, who, what) => {
  const importing = productFiles.filter((file) => who.test(file))
  expect(importing.length).toBeGreaterThan(0)
  expect(
    importing.flatMap((file) =>
      importsOf(file)
        .filter((imported) => what.test(imported))
        .map((imported) => `${file}: ${imported}`),
    ),
  ).toEqual([])
})

it('has a handler file for every entry of the catalogue, and an entry for every handler file', () => {
  expect(deployables.map(({ file }) => file).sort()).toEqual(
    sourceFiles.filter((file) => file.startsWith('functions/')).sort(),
  )
})

it('gives each operation an id and a route of its own, and each resource a prefix of ids', () => {
  expect(new Set(catalogue.map(({ id }) => id)).size).toBe(catalogue.length)
  expect(new Set(catalogue.map(({ method, path }) => `${method} ${path}`)).size).toBe(catalogue.length)
  for (const { id, resource, operation } of catalogue) expect(id).toBe(`${resource.plural}.${operation}`)
  const prefixes = [...resourcesByName.values()].map(({ prefix }) => prefix)
  expect(new Set(prefixes).size).toBe(prefixes.length)
})

it('lists a resource in the catalogue after the resources that it refers to', () => {
  const listed = [...resourcesByName.keys()]
  const created = catalogue.filter(({ operation }) => operation === 'create').map(({ resource }) => resource)
  for (const { name, fields } of created)
    for (const { reference } of referencesOf(fields))
      if (!reference.startsEntity) expect(listed.slice(0, listed.indexOf(name))).toContain(reference.target)
})

/** Returns the resources whose entities an include embeds, by name. */
const embeddedBy = ({ resource }: Endpoint, include: Include): string[] => {
  if (include.from === 'field' || include.from === 'external_id') return []
  if (include.from === 'children') return [include.target]
  const { target } = referenceAt(resource.fields, fieldPathOf(include))
  return include.from === 'listed' ? [target, include.parent] : [target]
}

it.each(catalogue)(
  'names only resources of the catalogue in the references and includes of $id',
  (endpoint) => {
    const referredTo = referencesOf(endpoint.resource.fields).map(({ reference }) => reference.target)
    const embedded = Object.values(endpoint.include).flatMap((include) => embeddedBy(endpoint, include))
    const unknown = [...referredTo, ...embedded].filter((name) => !resourcesByName.has(name))
    expect(unknown).toEqual([])
  },
)

it('marks a resource as mutable if an operation can change it, or if it has no create since it is derived', () => {
  for (const resource of resourcesByName.values()) {
    const endpoints = catalogue.filter((each) => each.resource === resource)
    const operations = endpoints.map((each) => each.operation)
    const changes =
      operations.includes('update') || !operations.includes('create') || endpoints.some(createMayUpdate)
    expect({ [resource.name]: resource.isMutable }).toEqual({ [resource.name]: changes })
  }
})

it.each(catalogue.filter(({ operation }) => operation === 'create'))(
  'lets $id update exactly where fields are descriptive or the resource has an update',
  (endpoint) => {
    const { resource } = endpoint
    const hasUpdate = catalogue.some((each) => each.resource === resource && each.operation === 'update')
    expect(createMayUpdate(endpoint)).toBe(hasUpdate || descriptiveFieldNames(resource.fields).length > 0)
  },
)
