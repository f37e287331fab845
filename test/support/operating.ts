import { readFileSync } from 'node:fs'

/** docs/operating.md. */
export const operatingGuide = readFileSync('docs/operating.md', 'utf8')

/** The section of the operator's guide with this title, to the next of any rank. */
export const section = (title: string): string =>
  operatingGuide.split(/^#+ /m).find((each) => each.startsWith(`${title}\n`)) ?? ''

/** The policy in a section of the guide, which is its only block of JSON. */
export const policyIn = (title: string): unknown =>
  JSON.parse(/```json\n([\s\S]*?)```/.exec(section(title))?.[1] ?? '')
