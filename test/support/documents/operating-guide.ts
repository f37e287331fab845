import { readFileSync } from 'node:fs'

export const operatingGuide = readFileSync('docs/operating.md', 'utf8')

/** Up to the next heading of any level. The default guide is docs/operating.md. */
export const guideSection = (title: string, guide = operatingGuide): string =>
  guide.split(/^#+ /m).find((text) => text.startsWith(`${title}\n`)) ?? ''

export interface Statement {
  readonly Effect: 'Allow' | 'Deny'
  readonly Principal?: { readonly Service: string }
  readonly Action: string | readonly string[]
  readonly Resource: string | readonly string[]
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

export const policyStatements = (title: string): Statement[] =>
  JSON.parse(/```json\n([\s\S]*?)```/.exec(guideSection(title))?.[1] ?? '').Statement

/** A person pastes each block as a whole. */
export const commandBlocks = (title: string): string[] =>
  [...guideSection(title).matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, script]) => script!)

/** After the blocks of docs/operating.md that set the variables for a stage. */
export const pastedScript = (blocks: readonly string[], stage = 'prod'): string =>
  [...commandBlocks('Before you paste'), ...blocks].join('\n').replace('STAGE=prod', `STAGE=${stage}`)
