import type { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import type { BillingStack } from '../../lib/stack/billing-stack.ts'
import type { ReleaseMode } from '../../lib/stack/releases.ts'
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
}

/** Synthesises a stack whose code never runs. */
export const synthesise = (
  stage: string,
  settings: StageSettings = stageSettings(stage),
  release: ReleaseMode = 'gradual',
): Synthesis => {
  const { app, stack } = stackIn(temporaryFolder(), { stage, settings, release })
  const template = Template.fromStack(stack)
  return {
    app,
    stack,
    template,
    all: (type) => Object.entries(template.findResources(type)) as unknown as [string, Resource][],
  }
}
