import { readFileSync } from 'node:fs'

/** docs/operating.md. */
export const operatingGuide = readFileSync('docs/operating.md', 'utf8')

/** The section of the operator's guide with this title, to the next of any rank. */
export const section = (title: string): string =>
  operatingGuide.split(/^#+ /m).find((each) => each.startsWith(`${title}\n`)) ?? ''
