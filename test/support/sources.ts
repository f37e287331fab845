import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const root = join(import.meta.dirname, '../..')
const sourceFolders = ['bench', 'bin', 'client', 'console', 'functions', 'lib', 'shared', 'test', 'tools']

const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(tsx?|js)$/.test(file) && !file.includes('node_modules'))
    .map((file) => join(folder, file))

export const sourceFiles = sourceFolders.flatMap(filesIn)

export const readSource = (file: string) => readFileSync(join(root, file), 'utf8')

const importStatement = /(?:from\s+|import\(\s*|import\s+)['"]([^'"]+)['"]/g

/** The files behind these import names. In bundles, lib/bundle replaces them. */
const substituted: Readonly<Record<string, string>> = {
  '#openapi': 'shared/openapi/document.ts',
  '#pages': 'shared/site/pages.ts',
  '#validators': 'shared/http/validation/schema-errors.ts',
}

/** Paths from the root, or package names. */
export const importsOf = (file: string): string[] =>
  [...readSource(file).matchAll(importStatement)].map(([, name = '']) =>
    name.startsWith('.') ? normalize(join(dirname(file), name)) : (substituted[name] ?? name),
  )

export const productFiles = sourceFiles.filter((file) => !file.startsWith('test/'))
