import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { ENTRY } from '../../lib/bundle/bundle.ts'
import { application } from '../../lib/stack/application.ts'
import { BillingStack } from '../../lib/stack/billing-stack.ts'
import type { ReleaseMode } from '../../lib/stack/releases.ts'
import { type StageSettings, stageSettings } from '../../lib/stages.ts'
import { temporaryFolder } from './temporary-folder.ts'

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
  /** The resources of a type, by logical id. */
  all(type: string): [string, Resource][]
}

/** A stage with every option in use, which neither of the two in the settings file has. */
export const everyOption: StageSettings = {
  ...stageSettings('prod'),
  alarmEmail: 'operator@example.org',
  functions: { memoryMb: 1_024, reserved: 20, provisioned: 2 },
  table: {
    kept: true,
    keyArn: 'arn:aws:kms:eu-west-1:111122223333:key/00000000-0000-0000-0000-000000000000',
    restored: 'restored-table',
  },
  domain: {
    name: 'billing.example.org',
    certificateArn: 'arn:aws:acm:eu-west-1:111122223333:certificate/00000000-0000-0000-0000-000000000000',
    hostedZone: { id: 'Z00000000000000000000', name: 'example.org' },
  },
  firewall: { log: true },
  corsOrigin: 'https://app.example.org',
}

export const COMMIT = '0123456789ab'

/** Synthesises a stack with code that is never run. */
export const synthesise = (
  stage: string,
  settings: StageSettings = stageSettings(stage),
  release: ReleaseMode = 'gradual',
): Synthesis => {
  const work = temporaryFolder()
  const folder = join(work, 'code')
  mkdirSync(folder)
  writeFileSync(join(folder, ENTRY), '')
  const app = application({ outdir: join(work, 'out') })
  const stack = new BillingStack(app, `billing-${stage}`, {
    stage,
    settings,
    commit: COMMIT,
    release,
    folderOf: () => folder,
    documentFolder: folder,
  })
  const template = Template.fromStack(stack)
  return {
    app,
    stack,
    template,
    all: (type) => Object.entries(template.findResources(type)) as unknown as [string, Resource][],
  }
}
