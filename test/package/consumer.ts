import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** An empty project that uses the package, in a folder of its own. */

export const run = promisify(execFile)
export const folder = realpathSync(mkdtempSync(join(tmpdir(), 'consumer-')))
export const project = join(folder, 'project')

/** Writes a file of the project. */
export const put = (file: string, text: string): void => writeFileSync(join(project, file), text)

/** Runs npm in the project. */
export const npm = (...args: string[]) =>
  run('npm', [...args, '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: project })

/** Runs Node in the project and returns what it prints. */
export const node = async (...args: string[]): Promise<string> =>
  (await run(process.execPath, args, { cwd: project })).stdout

/** The code blocks of a document in one language. */
export const blocks = (file: string, language: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'g'))].map(
    ([, code]) => code as string,
  )
