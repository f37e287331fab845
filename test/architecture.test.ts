import { dirname } from 'node:path'
import { catalogue, deployables, resourcesByName } from '../shared/catalogue.ts'
import { createMayUpdate, type Endpoint } from '../shared/contract/endpoint.ts'
import { descriptiveFieldNames } from '../shared/contract/field.ts'
import { referenceAt, referencesOf } from '../shared/contract/identifiers.ts'
import type { Include } from '../shared/contract/include.ts'
import type { Resource } from '../shared/contract/resource.ts'
import { importsOf, productFiles, sourceFiles } from './support/sources.ts'

/** Its folder, except that the catalogue, functions, bench and tests are a layer each. */
const layerOf = (file: string): string =>
  file === 'shared/catalogue.ts'
    ? 'catalogue'
    : (/^(functions|bench|test)\b/.exec(file)?.[0] ?? dirname(file))

/** Each imports only from layers before it. */
const layers = [
  'shared/money',
  'shared/text',
  'client',
  'client/analytics/lines',
  'client/analytics',
  'console/text',
  'console/records',
  'console/figures',
  'console/lists',
  'console/copy',
  'console/frame',
  'console/parts',
  'console/guides',
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
  'shared/includes',
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
  'tools/business',
  'tools/local',
  'tools/operator',
  'tools/testing',
  'tools/transfer',
  'tools/transfer/formats/csv',
  'tools/transfer/formats/stripe',
  'tools/transfer/formats',
  'tools/transfer/recipes',
  'tools/transfer/import',
  'tools/transfer/export',
  'tools/package',
  'tools/smoke',
  'bench',
  'bin',
]

const sources = new Set(sourceFiles)

const importedSources = (file: string): string[] =>
  importsOf(file).filter((imported) => sources.has(imported))

/** Directly or through others. */
const reachableFrom = (
  file: string,
  imports: ReadonlyMap<string, readonly string[]>,
  reached = new Set<string>(),
): ReadonlySet<string> => {
  for (const imported of imports.get(file) ?? [])
    if (!reached.has(imported)) {
      reached.add(imported)
      reachableFrom(imported, imports, reached)
    }
  return reached
}

it('has a layer for every file, and a file in every layer', () => {
  expect([...new Set(productFiles.map(layerOf))].sort()).toEqual([...layers].sort())
})

it.each(layers)('imports in the layer %s only from it and from layers before it', (layer) => {
  const laterLayers = layers.slice(layers.indexOf(layer) + 1)
  const wrongImports = productFiles
    .filter((file) => layerOf(file) === layer)
    .flatMap((file) => importedSources(file).map((imported) => ({ file, imported })))
    .filter(({ imported }) => laterLayers.includes(layerOf(imported)))
  expect(wrongImports).toEqual([])
})

it('has no cycle of imports', () => {
  const imports = new Map(productFiles.map((file) => [file, importedSources(file)]))
  expect(productFiles.filter((file) => reachableFrom(file, imports).has(file))).toEqual([])
})

interface ImportRule {
  readonly rule: string
  readonly files: RegExp
  readonly forbidden: RegExp
}

const importRules: readonly ImportRule[] = [
  {
    rule: 'imports neither the OpenAPI document nor the pages in the functions of the endpoints',
    files: /^functions\/(?!openapi)/,
    forbidden: /^shared\/(openapi|site)/,
  },
  {
    rule: 'imports the construct library only in lib and bin',
    files: /^(?!lib\/|bin\/)/,
    forbidden: /^(aws-cdk-lib|constructs|cdk-nag)\b/,
  },
  {
    rule: 'imports the SDK only in the store, in the folder of cold starts, in the deployment, in tools and in the bench',
    files: /^(?!shared\/store\/|shared\/cold-start\/|tools\/|bench\/|lib\/)/,
    forbidden: /^@aws-sdk\//,
  },
  {
    rule: 'imports the client only in the console, in tools and in the bench',
    files: /^(?!client\/|console\/|tools\/|bench\/)/,
    forbidden: /^client\//,
  },
  { rule: 'imports tests only in the bench', files: /^(?!bench\/)/, forbidden: /^test\// },
]

it.each(importRules)('$rule', ({ files, forbidden }) => {
  const restricted = productFiles.filter((file) => files.test(file))
  expect(restricted.length).toBeGreaterThan(0)
  const imports = restricted.flatMap((file) => importsOf(file).map((imported) => ({ file, imported })))
  expect(imports.filter(({ imported }) => forbidden.test(imported))).toEqual([])
})

it('has a handler file for every entry of the catalogue, and an entry for every handler file', () => {
  expect(deployables.map(({ file }) => file).sort()).toEqual(
    sourceFiles.filter((file) => file.startsWith('functions/')).sort(),
  )
})

it('gives each operation an id and a route of its own', () => {
  expect(new Set(catalogue.map(({ id }) => id)).size).toBe(catalogue.length)
  expect(new Set(catalogue.map(({ method, path }) => `${method} ${path}`)).size).toBe(catalogue.length)
})

it.each(catalogue)(
  'names the operation $id after its resource and what it does',
  ({ id, resource, operation }) => {
    expect(id).toBe(`${resource.plural}.${operation}`)
  },
)

it('gives each resource a prefix of ids of its own', () => {
  const prefixes = [...resourcesByName.values()].map(({ prefix }) => prefix)
  expect(new Set(prefixes).size).toBe(prefixes.length)
})

it('lists a resource in the catalogue after the resources that it refers to', () => {
  const order = [...resourcesByName.keys()]
  const created = catalogue.filter(({ operation }) => operation === 'create').map(({ resource }) => resource)
  for (const { name, fields } of created)
    for (const { reference } of referencesOf(fields))
      if (!reference.startsEntity) expect(order.slice(0, order.indexOf(name))).toContain(reference.target)
})

const embeddedBy = ({ resource }: Endpoint, include: Include): string[] => {
  if (!include.embedsEntities) return []
  if (include.children) return [include.children.resource]
  return [referenceAt(resource.fields, include.path!).target]
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

const operationsOf = (resource: Resource): Endpoint[] =>
  catalogue.filter((endpoint) => endpoint.resource === resource)
const has = (endpoints: readonly Endpoint[], operation: Endpoint['operation']): boolean =>
  endpoints.some((endpoint) => endpoint.operation === operation)

it.each([...resourcesByName.values()])(
  'marks $name as mutable exactly if an operation can change it, or if it is derived and so has no create',
  (resource) => {
    const endpoints = operationsOf(resource)
    const isDerived = !has(endpoints, 'create')
    const canChange = has(endpoints, 'update') || endpoints.some(createMayUpdate)
    expect(resource.isMutable).toBe(isDerived || canChange)
  },
)

it.each(catalogue.filter(({ operation }) => operation === 'create'))(
  'allows $id to update exactly if the resource has descriptive fields or an update',
  (endpoint) => {
    const { resource } = endpoint
    const hasDescriptiveFields = descriptiveFieldNames(resource.fields).length > 0
    const hasUpdate = has(operationsOf(resource), 'update')
    expect(createMayUpdate(endpoint)).toBe(hasUpdate || hasDescriptiveFields)
  },
)
