import { execFileSync } from 'node:child_process'

/** The first 12 characters, with "-dirty" after them for uncommitted files; "unknown" without git. */
export const commitOf = (folder: string): string => {
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    const commit = git('rev-parse', '--short=12', 'HEAD').trim()
    return git('status', '--porcelain') === '' ? commit : `${commit}-dirty`
  } catch {
    return 'unknown'
  }
}
