import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const copy = resolve('dist/recipes')
/** Files that the copy does not need, or that it links to or creates itself. */
const notCopied = ['.git', 'node_modules', 'dist', 'cdk.out', 'coverage', '.local']

export const removeCopy = (): void => rmSync(copy, { recursive: true, force: true })

const git = (...args: string[]): void => {
  execFileSync('git', args, { cwd: copy })
}

/** The copy is a repository of its own, whose index has each file as it was copied. */
export const createCopy = (): void => {
  removeCopy()
  for (const part of readdirSync('.').filter((name) => !notCopied.includes(name)))
    cpSync(part, join(copy, part), { recursive: true })
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'))
  git('init', '--quiet')
  git('add', '--all')
}

/** Undoes all changes since `createCopy`. It touches no other file, so that Jest does not read them all again. */
export const resetCopy = (): void => {
  git('checkout-index', '--all', '--force')
  git('clean', '--quiet', '-d', '--force')
}

/** Throws Error if the file does not contain the text. */
export const edit = (file: string, oldText: string, newText: string): void => {
  const text = readFileSync(join(copy, file), 'utf8')
  if (!text.includes(oldText)) throw new Error(`${file} does not contain ${oldText}`)
  writeFileSync(
    join(copy, file),
    text.replace(oldText, () => newText),
  )
}

export const write = (file: string, text: string): void => {
  mkdirSync(dirname(join(copy, file)), { recursive: true })
  writeFileSync(join(copy, file), text)
}

/** A Node script with its arguments. */
export const runInCopy = (...args: string[]): { readonly succeeds: boolean; readonly output: string } => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8' })
  return { succeeds: status === 0, output: stdout + stderr }
}
