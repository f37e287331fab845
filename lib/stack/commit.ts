import { execFileSync } from 'node:child_process'

/**
 * The commit checked out in `folder`, in 12 characters: with "-dirty" when files differ from it or are not in it, and
 * "unknown" where there is no git checkout.
 */
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
