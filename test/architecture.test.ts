import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { handlerFile } from '../lib/bundle/bundle.ts'
import { documentHandlerFile as document } from '../lib/bundle/document.ts'
import { catalogue } from '../shared/catalogue.ts'

const root = join(import.meta.dirname, '..')
const tops = ['bin', 'client', 'lib', 'functions', 'shared', 'test', 'tools']

const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|js)$/.test(file) && !file.startsWith('node_modules'))
    .map((file) => join(folder, file))

const files = tops.flatMap(filesIn)
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')
const importing = /(?:from\s+|import\(\s*|import\s+)['"]([^'"]+)['"]/g

/** What a file imports: a path from the root, or a package's name. */
const importsOf = (file: string): string[] =>
  [...textOf(file).matchAll(importing)].map(([, name = '']) =>
    name.startsWith('.') ? normalize(join(dirname(file), name)) : name,
  )
const under = (...folders: string[]) =>
  files.filter((file) => folders.some((folder) => file.startsWith(folder)))

/** The imports of files that are not among what they may import. */
const strays = (of: readonly string[], may: RegExp) =>
  of.flatMap((file) => importsOf(file).flatMap((each) => (may.test(each) ? [] : [`${file} imports ${each}`])))

const leaves = 'shared/(errors|ids|clock|log|config)\\.ts'
const packages = '(node:|@?[a-z])(?!hared/|unctions/|ib/|in/|est/)'
const allowed = (...paths: string[]) => new RegExp(`^(${[...paths, '#validators'].join('|')}|${packages})`)

describe('who may import whom', () => {
  it.each<[string, string[], RegExp]>([
    [
      'functions: resources, http, store, and what all may',
      under('functions/').filter((file) => file !== document),
      allowed('shared/(resources|http|store|contract)/', leaves),
    ],
    [
      'resources: the contract and each other',
      under('shared/resources/'),
      /^(shared\/contract\/|shared\/resources\/)/,
    ],
    ['the contract: itself', under('shared/contract/'), /^shared\/(contract|pagination)\/|^shared\/ids\.ts$/],
    [
      'http: no resource, no catalogue',
      under('shared/http/'),
      allowed('shared/(http|contract|pagination|store)/', leaves),
    ],
    [
      'store: no resource, no http',
      under('shared/store/'),
      allowed('shared/(store|contract|pagination)/', leaves),
    ],
    [
      'client: itself, and the types of the contract and the resources',
      under('client/'),
      /^(client\/|shared\/(contract|resources)\/)/,
    ],
    ['pagination: itself', under('shared/pagination/'), /^(shared\/pagination\/|node:)/],
    [
      'leaves: nothing of ours but leaves',
      files.filter((file) => new RegExp(`^${leaves}$`).test(file)),
      allowed(leaves),
    ],
  ])('%s', (_, of, may) => {
    expect(of.length).toBeGreaterThan(0)
    expect(strays(of, may)).toEqual([])
  })

  it('lib: no handlers', () => {
    expect(
      under('lib/')
        .flatMap(importsOf)
        .filter((each) => each.startsWith('functions/')),
    ).toEqual([])
  })

  it('only lib, bin and tests see aws-cdk-lib', () => {
    const seeing = files.filter((file) =>
      importsOf(file).some((each) => /^(aws-cdk-lib|constructs|cdk-nag)\b/.test(each)),
    )
    expect(seeing.length).toBeGreaterThan(0)
    expect(seeing.filter((file) => !/^(lib|bin|test)\//.test(file))).toEqual([])
  })

  it('nothing that is deployed, the catalogue', () => {
    const deployed = under(
      'functions/',
      'shared/http/',
      'shared/store/',
      'shared/resources/',
      'shared/contract/',
    )
    expect(deployed.filter((file) => importsOf(file).includes('shared/catalogue.ts'))).toEqual([])
  })

  it('nothing but tests, the tests', () => {
    const others = files.filter((file) => !file.startsWith('test/'))
    expect(others.filter((file) => importsOf(file).some((each) => each.startsWith('test/')))).toEqual([])
  })
})

describe('where things may stand', () => {
  const source = files.filter((file) => !file.startsWith('test/'))

  it('the environment is read by configuration, executables and local settings only', () => {
    const reading = source.filter((file) => /process\.env\b/.test(textOf(file)))
    const mayRead = /^(shared\/config\.ts|bin\/|shared\/local\/|shared\/testing\/)/
    expect(reading.filter((file) => !mayRead.test(file))).toEqual([])
  })

  it('the clock is read in one place', () => {
    const deployed = source.filter((file) =>
      /^(functions|shared\/(http|store|resources|contract|pagination))\//.test(file),
    )
    expect(deployed.filter((file) => /Date\.now\(|new Date\(\)/.test(textOf(file)))).toEqual([])
  })

  it('no file is longer than 200 lines', () => {
    const long = files.filter(
      (file) => file !== 'client/generated.ts' && textOf(file).split('\n').length > 201,
    )
    expect(long).toEqual([])
  })

  it('files have names of their own, in kebab-case', () => {
    const odd = files.filter((file) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.test)?\.(ts|js)$/.test(basename(file)))
    expect(odd).toEqual([])
    expect(files.filter((file) => /(^|\/)(utils?|helpers?|common|managers?|misc)\b/.test(file))).toEqual([])
  })

  it('no check of the compiler is switched off, and nothing is left to do', () => {
    const marks = new RegExp(['@ts-' + 'ignore', '@ts-' + 'nocheck', 'TO' + 'DO', 'FIX' + 'ME'].join('|'))
    expect(files.filter((file) => marks.test(textOf(file)))).toEqual([])
  })

  it('no test is skipped or alone', () => {
    const skipping = /\b(it|test|describe)\.(skip|only|todo)\b|\bx(it|describe)\(/
    expect(under('test/').filter((file) => skipping.test(textOf(file)))).toEqual([])
  })
})

describe('the catalogue', () => {
  it('has a handler file for every entry, and an entry for every handler file', () => {
    expect([...catalogue.map(handlerFile), document].sort()).toEqual(under('functions/').sort())
  })

  it('has 17 operations, each with its own id and route', () => {
    expect(catalogue).toHaveLength(17)
    expect(new Set(catalogue.map(({ id }) => id)).size).toBe(17)
    expect(new Set(catalogue.map(({ method, path }) => `${method} ${path}`)).size).toBe(17)
    for (const { id, resource, operation } of catalogue) expect(id).toBe(`${resource.plural}.${operation}`)
  })

  it('names the endpoint that each handler serves', () => {
    for (const endpoint of catalogue) {
      const text = textOf(handlerFile(endpoint))
      expect([endpoint.id, text.includes(`serve(${endpoint.id}`)]).toEqual([endpoint.id, true])
      expect([endpoint.id, text.includes('export const handler = ')]).toEqual([endpoint.id, true])
    }
  })

  it('has prefixes of ids that tell kinds apart', () => {
    const prefixes = new Map(catalogue.map(({ resource }) => [resource.name, resource.prefix]))
    expect(new Set(prefixes.values()).size).toBe(prefixes.size)
  })
})
