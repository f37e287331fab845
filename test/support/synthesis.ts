import type { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import type { BillingStack } from '../../lib/stack/billing-stack.ts'
import { type StageSettings, stageSettings } from '../../lib/stages.ts'
import { stackIn } from './stack.ts'
import { temporaryFolder } from './temporary-folder.ts'

export { COMMIT, everyOption } from './stack.ts'

/** A resource of a template. */
export interface Resource {
  readonly Type: string
  // biome-ignore lint/suspicious/noExplicitAny: properties of a hundred resource types
  readonly Properties: any
  readonly DeletionPolicy?: string
}

export interface Synthesis {
  readonly app: App
  readonly stack: BillingStack
  readonly template: Template
  /** Returns the resources of a type by logical id. */
  all(type: string): [string, Resource][]
  /** Returns the first resource of a type, usually the only one. */
  only(type: string): Resource
  /** Returns the properties of all resources of a type. */
  properties(type: string): Resource['Properties'][]
}

const made = new Map<string, Synthesis>()

/** Synthesises a stack whose code never runs, once for each test file. `test/template` validates templates. */
export const synthesise = (stage: string, settings: StageSettings = stageSettings(stage)): Synthesis => {
  const key = JSON.stringify([stage, settings])
  const known = made.get(key)
  if (known) return known
  const { app, stack } = stackIn(temporaryFolder(), { stage, settings })
  const template = Template.fromStack(stack)
  const all = (type: string) =>
    Object.entries(template.findResources(type)) as unknown as [string, Resource][]
  const synthesis: Synthesis = {
    app,
    stack,
    template,
    all,
    only: (type) => all(type)[0]![1],
    properties: (type) => all(type).map(([, { Properties }]) => Properties),
  }
  made.set(key, synthesis)
  return synthesis
}
