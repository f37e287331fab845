import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as analytics from '../client/analytics/index.ts'
import { catalogue, deployables, resourcesByName } from '../shared/catalogue.ts'
import { documentFunction } from '../shared/contract/document-function.ts'
import { erasurePlaceholders } from '../shared/contract/field.ts'
import { customer, customers } from '../shared/resources/customer.ts'
import { generators } from './generators/generators.ts'
import { pastedBlocks, shellDifferences } from './support/documents/shell-portability.ts'

const documents = ['.', 'docs', 'shared/cold-start']
  .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  .filter((file) => file.endsWith('.md'))
const readText = (file: string): string => readFileSync(file, 'utf8')
const { scripts } = JSON.parse(readText('package.json')) as { scripts: object }

const firstGroups = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, group = '']) => group)

const anchorsOf = (file: string): string[] => {
  const prose = readText(file).replaceAll(/```[\s\S]*?```/g, '')
  return firstGroups(prose, /^#+ (.*)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

const linksOf = (file: string): string[] => firstGroups(readText(file), /\]\(([^)\s]+)\)/g)

describe.each(documents)('%s', (file) => {
  it('a document has no broken links', () => {
    const broken = linksOf(file).filter((link) => {
      if (link.startsWith('https://')) return false
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? file : join(dirname(file), path)
      return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor))
    })
    expect(broken).toEqual([])
  })

  it('a document names only existing files', () => {
    const names = firstGroups(
      readText(file),
      /`((?:bench|bin|client|console|docs|functions|lib|shared|test|tools)\/[\w./-]+)`/g,
    )
    expect(names.filter((name) => !existsSync(name))).toEqual([])
  })

  it('a document names only existing commands', () => {
    const names = firstGroups(readText(file), /npm run (?:--silent )?([\w:-]+)/g)
    expect(names.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
  })

  it('a document has only commands that do the same in zsh, bash 3.2 and bash 5, on macOS and on Linux', () => {
    const text = readText(file)
    const inlineCommands = firstGroups(text, /`((?:aws|curl|git|node|npm|npx|pip|python) [^`]+)`/g)
    expect([...pastedBlocks(text), ...inlineCommands].flatMap(shellDifferences)).toEqual([])
  })

  it('a document names only existing tests in its commands', () => {
    const paths = firstGroups(readText(file), /npm (?:run )?test\S* -- (test\/[\w./-]+)/g)
    expect(paths.filter((path) => globSync(`${path}*`).length === 0)).toEqual([])
  })
})

it.each([
  ['a comment', 'npm start # the service'],
  ['a comment', 'A=1\n# what follows'],
  ['a pattern outside of quotes', 'npm install ../package-*.tgz'],
  ['a pattern outside of quotes', 'curl http://localhost/api?limit=1'],
  ['a pattern outside of quotes', 'aws s3 ls --query Stacks[0].Outputs'],
  ['the history of commands', 'npm start "now!"'],
  ['a modifier after a name without braces', 'aws s3 ls "$ACCOUNT:role/x"'],
  ['an array', 'all=(a b)'],
  ['an echo that may expand a backslash', 'echo "$body"'],
  ['a construct of one shell', 'if [[ -n $A ]]; then npm start; fi'],
  ['a name that zsh uses itself', 'for each in a b; do status=$each; done'],
  ['a completion', 'cat <<END\n\tx\nEND'],
  ['an option of GNU', "sed -i 's/a/b/' file"],
  ['a variable that only bash splits', 'OPTIONS="--a --b"\nnpm start $OPTIONS'],
])('the rule for pasted commands finds %s in %j', (name, command) => {
  expect(shellDifferences(command)).toEqual([expect.stringContaining(`${name}: `)])
})

it('docs/client.md links to no other file, since the npm package contains it alone', () => {
  const fileLinks = linksOf('docs/client.md').filter((link) => !/^(?:#|https:)/.test(link))
  expect(fileLinks).toEqual([])
})

it('CONTRIBUTING.md explains every command of package.json', () => {
  const table = readText('CONTRIBUTING.md').split('## Commands')[1] ?? ''
  const explained = firstGroups(table, /`(?:npm )?([\w:-]+)/g)
  expect(Object.keys(scripts).filter((name) => !explained.includes(name))).toEqual([])
})

it('docs/analytics.md explains every exported function of the figures', () => {
  const names = Object.entries(analytics).flatMap(([name, value]) =>
    typeof value === 'function' ? [name] : [],
  )
  const explained = readText('docs/analytics.md')
  expect(names.filter((name) => !explained.includes(`\`${name}`))).toEqual([])
})

const between = (text: string, start: string, end: string): string => text.split(start)[1]!.split(end)[0]!
const api = readText('docs/api.md')
const personalFields = Object.keys(erasurePlaceholders(customer.fields)).map((name) => `\`${name}\``)
const writeEndpoints = catalogue.filter(({ method }) => method !== 'GET')

it.each([
  [
    'README.md has every operation, also of endpoints that belong to no resource',
    readText('README.md'),
    deployables
      .filter((deployable) => deployable !== documentFunction)
      .map(({ method, path }) => `\`${method} ${path}\``),
  ],
  [
    'docs/api.md explains the prefix of every id',
    between(api, '## Ids', '\n## '),
    [...resourcesByName.values()].map(({ prefix }) => `\`${prefix}_…\``),
  ],
  [
    'docs/api.md explains every filter',
    between(api, 'Filters:', '`next_cursor`'),
    catalogue.flatMap(({ filter, resource }) => (filter ? [`\`${filter}\``, resource.plural] : [])),
  ],
  [
    'docs/api.md has every personal field in the table of erasures',
    between(api, '| What happens', '| kept |'),
    personalFields,
  ],
  [
    'the description of the update of customers names every personal field',
    customers.update.about!.description,
    personalFields,
  ],
  [
    'docs/operating.md stops every route that writes when it stops writes',
    between(readText('docs/operating.md'), 'for route in ', '; do'),
    writeEndpoints.map(({ method, path }) => `${path.slice('/api/'.length).replaceAll('/', '~1')}/${method}`),
  ],
])('%s', (_, text, names) => {
  expect(names.filter((name) => !text.includes(name))).toEqual([])
})

describe('the guide to generated clients', () => {
  const [, text = ''] = readText('docs/integrate.md').split('## Generate a client')

  it('the guide to generated clients shows code of the programs that check:generators runs', () => {
    const programs = globSync('test/generators/*/program.*').map(readText)
    const blocks = firstGroups(text, /```\w+\n([\s\S]*?)```/g)
    expect(blocks).toHaveLength(generators.length)
    expect(blocks.filter((code) => !programs.some((program) => program.includes(code)))).toEqual([])
  })

  it.each(generators)(
    'the guide to generated clients has the command by which check:generators calls $name',
    ({ name, command }) => {
      const row = text.split('\n').find((line) => line.includes(`/${name}/program.`))
      const [, shown] = /`([^`]+)`/.exec(row ?? '') ?? []
      expect(command.replace('go tool ', '')).toBe(shown)
    },
  )
})
