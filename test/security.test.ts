import { existsSync, readFileSync } from 'node:fs'

const text = readFileSync('SECURITY.md', 'utf8')
const named = (pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, name = '']) => name)),
]

describe('SECURITY.md', () => {
  it('names files that exist', () => {
    const files = named(/`((?:test|shared)\/[^`]+)`/g)
    expect(files.length).toBeGreaterThan(15)
    expect(files.filter((file) => !existsSync(file))).toEqual([])
  })

  it('names commands that exist', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object }
    const commands = named(/`npm run ([\w:]+)/g)
    expect(commands.length).toBeGreaterThan(1)
    expect(commands.filter((command) => !(command in scripts))).toEqual([])
  })

  it('names a check for every promise', () => {
    const rows = text.split('\n').filter((line) => /^\| (?!Promise|-)/.test(line))
    expect(rows.length).toBeGreaterThan(10)
    expect(rows.filter((row) => !/`(?:test\/|npm run)[^|]*\|$/.test(row))).toEqual([])
  })
})
