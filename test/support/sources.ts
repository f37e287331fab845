import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const root = join(import.meta.dirname, '../..')
const tops = ['bench', 'bin', 'client', 'functions', 'lib', 'shared', 'test', 'tools']

const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|js)$/.test(file) && !file.includes('node_modules'))
    .map((file) => join(folder, file))

/** Every source file, from the root. */
export const files = tops.flatMap(filesIn)
/** The text of a file. */
export const textOf = (file: string) => readFileSync(join(root, file), 'utf8')
const importing = /(?:from\s+|import\(\s*|import\s+)['"]([^'"]+)['"]/g

/** What stands in for these in a bundle is made by lib/bundle. */
const substituted: Readonly<Record<string, string>> = {
  '#openapi': 'shared/openapi/document.ts',
  '#pages': 'shared/openapi/pages.ts',
  '#validators': 'shared/http/compile.ts',
}

/** What a file imports: a path from the root, or a package's name. */
export const importsOf = (file: string): string[] =>
  [...textOf(file).matchAll(importing)].map(([, name = '']) =>
    name.startsWith('.') ? normalize(join(dirname(file), name)) : (substituted[name] ?? name),
  )

/** The files that are no tests. */
export const source = files.filter((file) => !file.startsWith('test/'))
