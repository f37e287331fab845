import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const root = join(import.meta.dirname, '../..')
/** The folders of the project that have sources. */
const sourceFolders = ['bench', 'bin', 'client', 'console', 'functions', 'lib', 'shared', 'test', 'tools']

const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(tsx?|js)$/.test(file) && !file.includes('node_modules'))
    .map((file) => join(folder, file))

/** The paths of all source files, from the root of the project. */
export const sourceFiles = sourceFolders.flatMap(filesIn)

/** Returns the text of a source file, given its path from the root. */
export const readSource = (file: string) => readFileSync(join(root, file), 'utf8')

const importStatement = /(?:from\s+|import\(\s*|import\s+)['"]([^'"]+)['"]/g

/** The files behind these import names. In bundles, lib/bundle replaces them. */
const substituted: Readonly<Record<string, string>> = {
  '#openapi': 'shared/openapi/document.ts',
  '#pages': 'shared/site/pages.ts',
  '#validators': 'shared/http/validation/schema-errors.ts',
}

/** Returns the imports of a file: paths from the root, or package names. */
export const importsOf = (file: string): string[] =>
  [...readSource(file).matchAll(importStatement)].map(([, name = '']) =>
    name.startsWith('.') ? normalize(join(dirname(file), name)) : (substituted[name] ?? name),
  )

/** The paths of all files except tests. */
export const productFiles = sourceFiles.filter((file) => !file.startsWith('test/'))
