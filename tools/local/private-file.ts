import { renameSync, rmSync, writeFileSync } from 'node:fs'

/** Writes a file that only its owner can read, and replaces any file or link of that name. Throws errors of the system. */
export const writePrivate = (file: string, content: string): void => {
  const next = `${file}.new`
  rmSync(next, { force: true })
  writeFileSync(next, content, { mode: 0o600, flag: 'wx' })
  renameSync(next, file)
}
