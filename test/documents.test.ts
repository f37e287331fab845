import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generators } from './generators/generators.ts'

const documents = ['.', 'docs']
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
      ...textOf(file).matchAll(/`((?:bench|bin|client|functions|lib|shared|test|tools)\/[\w./-]+)`/g),
    ]
    expect(named.flatMap(([, name = '']) => (existsSync(name) ? [] : [name]))).toEqual([])
  })

  it('a document names only existing commands', () => {
    const named = [...textOf(file).matchAll(/npm run (?:--silent )?([\w:-]+)/g)]
    expect(named.flatMap(([, name = '']) => (Object.hasOwn(scripts, name) ? [] : [name]))).toEqual([])
  })

  it('a document names only existing tests in its commands', () => {
    const named = [...textOf(file).matchAll(/npm (?:run )?test\S* -- (test\/[\w./-]+)/g)]
    expect(named.flatMap(([, path = '']) => (globSync(`${path}*`).length > 0 ? [] : [path]))).toEqual([])
  })
})

it('the documents of the npm package link to nothing that it does not contain', () => {
  const [client, testing] = ['docs/client.md', 'docs/testing.md'].map((file) =>
    linksOf(file).filter((link) => !/^(?:#|https:)/.test(link)),
  )
  expect({ client, testing }).toEqual({ client: ['testing.md'], testing: [] })
})

it('CONTRIBUTING.md explains every command of package.json', () => {
  const table = textOf('CONTRIBUTING.md').split('## Commands')[1] ?? ''
  const explained = new Set([...table.matchAll(/`(?:npm )?([\w:-]+)/g)].map(([, name]) => name))
  expect(Object.keys(scripts).filter((name) => !explained.has(name))).toEqual([])
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
