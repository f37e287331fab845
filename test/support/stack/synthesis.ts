import type { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import type { BillingStack } from '../../../lib/stack/billing-stack.ts'
import { type StageSettings, stageSettings } from '../../../lib/stages.ts'
import { temporaryFolder } from '../processes/temporary-folder.ts'
import { everyOption, stackIn } from './test-stages.ts'

export { COMMIT, everyOption } from './test-stages.ts'

export interface Resource {
  readonly Type: string
  // biome-ignore lint/suspicious/noExplicitAny: properties of a hundred resource types
  readonly Properties: any
  readonly DeletionPolicy?: string
  readonly DependsOn?: readonly string[]
}

export interface Synthesis {
  readonly app: App
  readonly stack: BillingStack
  readonly template: Template
  /** By logical id. */
  all(type: string): [string, Resource][]
  only(type: string): Resource
  properties(type: string): Resource['Properties'][]
}

/** A domain whose record the operator enters. */
const { hostedZone: _, ...domain } = everyOption.domain!
const inSecondRegion = (arn: string) => arn.replace('eu-west-1', 'eu-central-1')

/** Production with events, and with a domain in place of the generated address. */
export const withEvents = {
  ...stageSettings('prod'),
  events: true,
  domain: { ...domain, only: true },
} satisfies StageSettings

/**
 * The second region with a key and a domain of its own, and with other values of some options than in
 * `everyOption`.
 */
export const standby = {
  ...stageSettings('standby'),
  gatewayLogRole: false,
  events: true,
  functions: { memoryMb: 1_024, provisioned: 1 },
  keyArn: inSecondRegion(everyOption.keyArn!),
  domain: { ...domain, certificateArn: inSecondRegion(domain.certificateArn) },
} satisfies StageSettings

/**
 * A developer's stage that keeps nothing, without a firewall or a ceiling, which the local engine does not
 * have.
 */
export const devAnn = {
  ...stageSettings('dev-ann'),
  events: 'stream',
  firewall: false,
  table: { kept: false },
  keyArn: everyOption.keyArn!,
  domain: { ...everyOption.domain!, only: true },
} satisfies StageSettings

/** By stage and settings. */
const synthesised = new Map<string, Synthesis>()

/** Code never runs. At most once for each test file. `test/template` validates templates. */
export const synthesise = (stage: string, settings: StageSettings = stageSettings(stage)): Synthesis => {
  const key = JSON.stringify([stage, settings])
  const earlier = synthesised.get(key)
  if (earlier) return earlier
  const { app, stack } = stackIn(temporaryFolder(), { stage, settings })
  const template = Template.fromStack(stack)
  const all = (type: string) =>
    Object.entries(template.findResources(type)).map(([id, resource]): [string, Resource] => [
      id,
      resource as Resource,
    ])
  const synthesis: Synthesis = {
    app,
    stack,
    template,
    all,
    only: (type) => all(type)[0]![1],
    properties: (type) => all(type).map(([, { Properties }]) => Properties),
  }
  synthesised.set(key, synthesis)
  return synthesis
}
