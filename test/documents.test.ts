import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { catalogue, resourcesByName } from '../shared/catalogue.ts'
import { erasurePlaceholders } from '../shared/contract/field.ts'
import { customer, customers } from '../shared/resources/customer.ts'
import { generators } from './generators/generators.ts'
import { pastedBlocks, shellDifferences } from './support/documents/shell-portability.ts'

const documents = ['.', 'docs', 'shared/cold-start']
  .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  .filter((file) => file.endsWith('.md'))
const textOf = (file: string): string => readFileSync(file, 'utf8')
const { scripts } = JSON.parse(textOf('package.json')) as { scripts: object }

/** Returns the anchors that GitHub gives to the headings of a document. */
const anchorsOf = (file: string): string[] =>
  [
    ...textOf(file)
      .replaceAll(/```[\s\S]*?```/g, '')
      .matchAll(/^#+ (.*)$/gm),
  ].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

const linksOf = (file: string): string[] =>
  [...textOf(file).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)

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
    const named = [
      ...textOf(file).matchAll(
        /`((?:bench|bin|client|console|docs|functions|lib|shared|test|tools)\/[\w./-]+)`/g,
      ),
    ]
    expect(named.flatMap(([, name = '']) => (existsSync(name) ? [] : [name]))).toEqual([])
  })

  it('a document names only existing commands', () => {
    const named = [...textOf(file).matchAll(/npm run (?:--silent )?([\w:-]+)/g)]
    expect(named.flatMap(([, name = '']) => (Object.hasOwn(scripts, name) ? [] : [name]))).toEqual([])
  })

  it('a document has only commands that run alike in zsh, bash 3.2 and bash 5, on macOS and on Linux', () => {
    const inline = textOf(file).matchAll(/`((?:aws|curl|git|node|npm|npx|pip|python) [^`]+)`/g)
    const commands = [...pastedBlocks(textOf(file)), ...[...inline].map(([, command = '']) => command)]
    expect(commands.flatMap(shellDifferences)).toEqual([])
  })

  it('a document names only existing tests in its commands', () => {
    const named = [...textOf(file).matchAll(/npm (?:run )?test\S* -- (test\/[\w./-]+)/g)]
    expect(named.flatMap(([, path = '']) => (globSync(`${path}*`).length > 0 ? [] : [path]))).toEqual([])
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

it('the document of the npm package links to nothing that it does not contain', () => {
  expect(linksOf('docs/client.md').filter((link) => !/^(?:#|https:)/.test(link))).toEqual([])
})

it('CONTRIBUTING.md explains every command of package.json', () => {
  const table = textOf('CONTRIBUTING.md').split('## Commands')[1] ?? ''
  const explained = new Set([...table.matchAll(/`(?:npm )?([\w:-]+)/g)].map(([, name]) => name))
  expect(Object.keys(scripts).filter((name) => !explained.has(name))).toEqual([])
})

/** Returns the part of a text between two others. */
const between = (text: string, start: string, end: string): string => text.split(start)[1]!.split(end)[0]!
const api = textOf('docs/api.md')
const personal = Object.keys(erasurePlaceholders(customer.fields)).map((name) => `\`${name}\``)
const writes = catalogue.filter(({ method }) => method !== 'GET')

it.each([
  [
    'the table of operations has every operation',
    textOf('README.md'),
    catalogue.map(({ method, path }) => `\`${method} ${path}\``),
  ],
  [
    'the prefix of every id is explained',
    between(api, '## Ids', '\n## '),
    [...resourcesByName.values()].map(({ prefix }) => `\`${prefix}_…\``),
  ],
  [
    'every filter is explained',
    between(api, 'Filters:', '`next_cursor`'),
    catalogue.flatMap(({ filter, resource }) => (filter ? [`\`${filter}\``, resource.plural] : [])),
  ],
  ['the table of erasure has every personal field', between(api, '| What happens', '| kept |'), personal],
  ['the update of a customer says what is erased', customers.update.about!.description, personal],
  [
    'who stops writes at night stops every route that writes',
    between(textOf('docs/operating.md'), 'for route in ', '; do'),
    writes.map(({ method, path }) => `${path.slice('/api/'.length).replaceAll('/', '~1')}/${method}`),
  ],
])('%s', (_, text, names) => {
  expect(names.filter((name) => !text.includes(name))).toEqual([])
})

describe('the guide to generated clients', () => {
  const [, text = ''] = textOf('docs/integrate.md').split('## Generate a client')

  it('the guide to generated clients shows code of the programs that check:generators runs', () => {
    const programs = globSync('test/generators/*/program.*').map(textOf)
    const blocks = [...text.matchAll(/```\w+\n([\s\S]*?)```/g)].map(([, code = '']) => code)
    expect(blocks.length).toBe(generators.length)
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
